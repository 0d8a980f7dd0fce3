//! Records of plain bytes: how views are laid out, once for host and guest.
//!
//! Every field is a byte or a list of bytes (numbers above 255 are [`U16`], two bytes, little-endian), so a
//! record has alignment 1, no padding and the same bytes on every machine. A record made by [`record!`](crate::record)
//! also carries its [`Layout`], from which the host prints views and the tables in the documentation and the C
//! header are checked.

/// The shape of a [`Plain`] type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One unsigned byte.
    U8,
    /// Two bytes, little-endian, unsigned.
    U16,
    /// So many of the same, one after the other.
    List(&'static Layout, usize),
    /// Named fields, one after the other.
    Record(&'static str, &'static [Field]),
}

/// A field of a [`Layout::Record`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The field's name, the same in Rust, C, JSON and the documentation.
    pub name: &'static str,
    /// Its documentation, a sentence or two.
    pub doc: &'static str,
    /// Its shape.
    pub layout: &'static Layout,
}

impl Layout {
    /// The size in bytes.
    pub const fn size(&self) -> usize {
        match self {
            Layout::U8 => 1,
            Layout::U16 => 2,
            Layout::List(element, count) => element.size() * *count,
            Layout::Record(_, fields) => {
                let mut total = 0;
                let mut i = 0;
                while i < fields.len() {
                    total += fields[i].layout.size();
                    i += 1;
                }
                total
            }
        }
    }
}

/// A type that is plain bytes: any bytes of its size are a value of it.
///
/// # Safety
/// The type must have alignment 1, no padding, the size of its `LAYOUT`, and be valid for every bit pattern.
/// [`record!`](crate::record) makes such types and checks size and alignment at compile time.
pub unsafe trait Plain: Copy + 'static {
    /// The type's shape.
    const LAYOUT: &'static Layout;

    /// The value whose bytes are all 0.
    fn zeroed() -> Self {
        // SAFETY: every bit pattern is a value (the trait's contract).
        unsafe { core::mem::zeroed() }
    }

    /// The value's bytes.
    fn as_bytes(&self) -> &[u8] {
        // SAFETY: no padding (the trait's contract), so every byte is initialised.
        unsafe { core::slice::from_raw_parts((self as *const Self).cast(), size_of::<Self>()) }
    }

    /// The value that `bytes` begin with; `None` if they are too few.
    fn from_bytes(bytes: &[u8]) -> Option<&Self> {
        if bytes.len() < size_of::<Self>() {
            return None;
        }
        // SAFETY: enough bytes, alignment 1, every bit pattern valid (the trait's contract).
        Some(unsafe { &*bytes.as_ptr().cast() })
    }
}

// SAFETY: a byte is a byte.
unsafe impl Plain for u8 {
    const LAYOUT: &'static Layout = &Layout::U8;
}

// SAFETY: an array has its elements' alignment and no padding between them.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {
    const LAYOUT: &'static Layout = &Layout::List(T::LAYOUT, N);
}

/// A number from 0 to 65535 in two bytes, little-endian, with alignment 1.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct U16([u8; 2]);

impl U16 {
    /// The number.
    pub const fn get(self) -> u16 {
        u16::from_le_bytes(self.0)
    }
}

impl From<u16> for U16 {
    fn from(value: u16) -> Self {
        U16(value.to_le_bytes())
    }
}

impl core::fmt::Debug for U16 {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.get().fmt(f)
    }
}

// SAFETY: a transparent array of two bytes.
unsafe impl Plain for U16 {
    const LAYOUT: &'static Layout = &Layout::U16;
}

/// Declares a record of [`Plain`] fields and implements [`Plain`] for it.
///
/// ```
/// bot_sdk::record! {
///     /// A card on the table.
///     pub struct Laid {
///         /// Who laid it.
///         pub seat: u8,
///         /// Points so far.
///         pub points: bot_sdk::U16,
///     }
/// }
/// assert_eq!(size_of::<Laid>(), 3);
/// ```
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $struct_doc:literal])*
        pub struct $name:ident {
            $( $(#[doc = $doc:literal])+ pub $field:ident: $type:ty, )+
        }
    ) => {
        $(#[doc = $struct_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(C)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $field: $type, )+
        }

        const _: () = {
            assert!(align_of::<$name>() == 1);
            assert!(size_of::<$name>() == <$name as $crate::Plain>::LAYOUT.size());
        };

        // SAFETY: `repr(C)` over `Plain` fields; the assertions above rule out padding.
        unsafe impl $crate::Plain for $name {
            const LAYOUT: &'static $crate::plain::Layout = &$crate::plain::Layout::Record(
                stringify!($name),
                &[$( $crate::plain::Field {
                    name: stringify!($field),
                    doc: concat!($($doc),+),
                    layout: <$type as $crate::Plain>::LAYOUT,
                } ),+],
            );
        }
    };
}

#[cfg(test)]
#[allow(unreachable_pub, reason = "records are declared pub")]
mod tests {
    use super::*;

    record! {
        /// An inner record.
        pub struct Inner {
            /// One byte.
            pub a: u8,
            /// A larger number.
            pub b: U16,
        }
    }

    record! {
        /// An outer record.
        pub struct Outer {
            /// Two of them.
            pub pair: [Inner; 2],
            /// The end.
            pub end: u8,
        }
    }

    #[test]
    fn a_record_is_its_fields_bytes_in_order() {
        let mut outer = Outer::zeroed();
        outer.pair[1] = Inner { a: 7, b: 0x0201.into() };
        outer.end = 9;
        assert_eq!(outer.as_bytes(), [0, 0, 0, 7, 1, 2, 9]);
        assert_eq!(Outer::LAYOUT.size(), 7);
    }

    #[test]
    fn bytes_become_the_record_they_came_from() {
        let bytes = [1, 2, 0, 3, 4, 0, 5, 99];
        let outer = Outer::from_bytes(&bytes).unwrap();
        assert_eq!(outer.as_bytes(), &bytes[..7]);
        assert_eq!(outer.pair[1].b.get(), 4);
    }

    #[test]
    fn too_few_bytes_are_no_record() {
        assert!(Outer::from_bytes(&[0; 6]).is_none());
    }

    #[test]
    fn the_layout_carries_names_and_docs() {
        let Layout::Record("Outer", fields) = Outer::LAYOUT else { panic!("{:?}", Outer::LAYOUT) };
        assert_eq!(fields[0].name, "pair");
        assert_eq!(fields[1].doc, " The end.");
    }
}
