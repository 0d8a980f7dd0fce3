//! What one parse of a module collects for the checks.

use bot_sdk::abi;
use wasmparser::{
    CompositeInnerType, ConstExpr, DataKind, ElementItems, ElementKind, ExternalKind, FuncType, KnownCustom,
    MemoryType, Name, Operator, Parser, Payload, TableType, TypeRef,
};

use super::function::Function;

/// An import.
pub(super) struct Import<'a> {
    pub(super) module: &'a str,
    pub(super) name: &'a str,
    pub(super) kind: TypeRef,
}

/// An export.
pub(super) struct Export<'a> {
    pub(super) name: &'a str,
    pub(super) kind: ExternalKind,
    pub(super) index: u32,
}

/// A segment that is copied into the memory or a table when an instance is made.
pub(super) struct Segment {
    pub(super) index: u32,
    /// Where it begins; `None` if that is not known before.
    pub(super) offset: Option<u32>,
    /// Bytes or elements.
    pub(super) length: u32,
}

/// What is in a module.
#[derive(Default)]
pub(super) struct Contents<'a> {
    pub(super) types: Vec<Option<FuncType>>,
    /// The type of each function, imported ones first.
    pub(super) functions: Vec<u32>,
    /// Functions that the module imports.
    pub(super) imported_functions: u32,
    /// The functions that it defines.
    pub(super) bodies: Vec<Function>,
    /// Names of functions in the name section, by index.
    pub(super) names: Vec<(u32, &'a str)>,
    pub(super) memories: Vec<MemoryType>,
    pub(super) tables: Vec<TableType>,
    pub(super) globals: u32,
    pub(super) data_segments: u32,
    pub(super) data_bytes: u64,
    pub(super) element_segments: u32,
    pub(super) data: Vec<Segment>,
    /// Those for the table of this index.
    pub(super) elements: Vec<(u32, Segment)>,
    pub(super) imports: Vec<Import<'a>>,
    pub(super) exports: Vec<Export<'a>>,
    pub(super) code_bytes: u64,
    pub(super) custom_bytes: u64,
    /// Bytes of sections that only debuggers read.
    pub(super) debug_bytes: u64,
    /// Names of custom sections.
    pub(super) custom_sections: Vec<&'a str>,
    pub(super) metadata: Vec<&'a [u8]>,
    /// The language that the compiler says it compiled.
    pub(super) language: Option<&'a str>,
}

impl<'a> Contents<'a> {
    /// Reads a module that is valid, if only with features that are switched off.
    pub(super) fn read(bytes: &'a [u8]) -> wasmparser::Result<Contents<'a>> {
        let mut contents = Contents::default();
        for payload in Parser::new(0).parse_all(bytes) {
            contents.take(payload?)?;
        }
        Ok(contents)
    }

    fn take(&mut self, payload: Payload<'a>) -> wasmparser::Result<()> {
        match payload {
            Payload::TypeSection(section) => {
                for group in section {
                    for sub in group?.into_types() {
                        self.types.push(match sub.composite_type.inner {
                            CompositeInnerType::Func(function) => Some(function),
                            _ => None,
                        });
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    match import.ty {
                        TypeRef::Func(index) => {
                            self.functions.push(index);
                            self.imported_functions += 1;
                        }
                        TypeRef::Memory(memory) => self.memories.push(memory),
                        TypeRef::Table(table) => self.tables.push(table),
                        TypeRef::Global(_) => self.globals += 1,
                        _ => {}
                    }
                    self.imports.push(Import { module: import.module, name: import.name, kind: import.ty });
                }
            }
            Payload::FunctionSection(section) => {
                for function in section {
                    self.functions.push(function?);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    self.memories.push(memory?);
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    self.tables.push(table?.ty);
                }
            }
            Payload::GlobalSection(section) => self.globals += section.count(),
            Payload::DataSection(section) => {
                for (index, data) in (0..).zip(section) {
                    let data = data?;
                    self.data_segments += 1;
                    self.data_bytes += data.data.len() as u64;
                    if let DataKind::Active { offset_expr, .. } = data.kind {
                        let (offset, length) = (constant(&offset_expr)?, data.data.len() as u32);
                        self.data.push(Segment { index, offset, length });
                    }
                }
            }
            Payload::ElementSection(section) => {
                for (index, element) in (0..).zip(section) {
                    let element = element?;
                    self.element_segments += 1;
                    if let ElementKind::Active { table_index, offset_expr } = element.kind {
                        let length = match element.items {
                            ElementItems::Functions(items) => items.count(),
                            ElementItems::Expressions(_, items) => items.count(),
                        };
                        let offset = constant(&offset_expr)?;
                        self.elements.push((table_index.unwrap_or(0), Segment { index, offset, length }));
                    }
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    self.exports.push(Export { name: export.name, kind: export.kind, index: export.index });
                }
            }
            Payload::CodeSectionStart { size, .. } => self.code_bytes = size.into(),
            Payload::CodeSectionEntry(body) => self.bodies.push(Function::read(&body)?),
            Payload::CustomSection(section) => {
                let (name, bytes) = (section.name(), (section.data().len() + section.name().len()) as u64);
                self.custom_bytes += bytes;
                self.custom_sections.push(name);
                if name == abi::METADATA_SECTION {
                    self.metadata.push(section.data());
                }
                if name == "name" || name.starts_with(".debug_") {
                    self.debug_bytes += bytes;
                }
                // Nothing depends on what they say, so it does not matter where they say it wrongly.
                match section.as_known() {
                    KnownCustom::Name(names) => {
                        for map in names.into_iter().flatten() {
                            if let Name::Function(functions) = map {
                                self.names.extend(functions.into_iter().flatten().map(|name| (name.index, name.name)));
                            }
                        }
                    }
                    KnownCustom::Producers(fields) => {
                        for field in fields.into_iter().flatten().filter(|field| field.name == "language") {
                            self.language = field.values.into_iter().flatten().map(|value| value.name).next();
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The type of a function.
    pub(super) fn signature(&self, function: u32) -> Option<&FuncType> {
        let index = *self.functions.get(function as usize)?;
        self.types.get(index as usize)?.as_ref()
    }

    /// A function that the module defines, by its index among all.
    pub(super) fn body(&self, function: u32) -> Option<&Function> {
        self.bodies.get(function.checked_sub(self.imported_functions)? as usize)
    }

    /// The name of a function: that of its export, or else the one in the name section.
    pub(super) fn name_of(&self, function: u32) -> Option<&'a str> {
        let exports = self.exports.iter().filter(|export| export.kind == ExternalKind::Func);
        let exported = exports.clone().find(|export| export.index == function).map(|export| export.name);
        exported.or_else(|| self.names.iter().find(|(index, _)| *index == function).map(|(_, name)| *name))
    }
}

/// The value of a constant expression of type i32; `None` if it depends on an import.
fn constant(expression: &ConstExpr<'_>) -> wasmparser::Result<Option<u32>> {
    let mut stack: Vec<u32> = Vec::new();
    for operator in expression.get_operators_reader() {
        let value = match operator? {
            Operator::I32Const { value } => value as u32,
            Operator::End => continue,
            two @ (Operator::I32Add | Operator::I32Sub | Operator::I32Mul) => {
                let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else { return Ok(None) };
                match two {
                    Operator::I32Add => left.wrapping_add(right),
                    Operator::I32Sub => left.wrapping_sub(right),
                    _ => left.wrapping_mul(right),
                }
            }
            _ => return Ok(None),
        };
        stack.push(value);
    }
    Ok(stack.pop())
}
