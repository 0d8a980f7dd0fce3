//! Orders in words, for a person at the table: `challenge 3, give 4 to 7, claim 1 5, peek`, or `nothing`.

use bot_sdk::passing_cards::{NOBODY, Orders, ROUNDS, View, decision, side};

use crate::games::words::spaced;

/// What a seat knows.
pub(super) fn describe(view: &View, asked: u8) -> String {
    if u32::from(asked) == decision::VOTE {
        let mut text = String::from("You have won.\n");
        for (seat, [a, b]) in view.claims.iter().enumerate().filter(|(_, claim)| claim[0] != NOBODY) {
            text += &format!("  {seat} claimed with {a} and {b}\n");
        }
        return text + &format!("Candidates: {}. Whom do you vote for?", spaced(view.candidates()));
    }
    let mut text = format!("You are {}, which is also the name on your first cards.\n", view.own_seat);
    for received in view.received() {
        text += &format!("  {} gave you a card {}\n", received.giver, received.card);
    }
    let [a, b] = view.options;
    let s = if view.own_garnets == 1 { "" } else { "s" };
    text += &format!("You hold {} and {} garnet{s}. ", spaced(view.own_cards), view.own_garnets);
    text += &format!("You can challenge {a} or {b}");
    match view.next_options {
        [NOBODY, _] => text += ".\n",
        [a, b] => text += &format!(", next round {a} or {b}.\n"),
    }
    for partner in view.partners.iter().take_while(|partner| partner.side != side::NONE) {
        let who = if partner.side == side::SELF { "you challenged it" } else { "it challenged you" };
        text += &format!("  {} trades with you at the end of this round: {who}\n", partner.seat);
    }
    text += &format!("A claim needs {} names in three hands.\n", view.needed);
    text + "Players and cards are numbers. Orders, parted by commas: `challenge 3`, `give CARD to SEAT`, `claim 1 5`, `peek`, or `nothing`?"
}

/// Orders as a person types them.
pub(super) fn phrase(orders: Orders) -> String {
    let mut parts = Vec::new();
    if orders.challenge != NOBODY {
        parts.push(format!("challenge {}", orders.challenge));
    }
    let gifts = orders.gifts.iter().enumerate().filter(|(_, card)| **card != NOBODY);
    parts.extend(gifts.map(|(seat, card)| format!("give {card} to {seat}")));
    if orders.claim[0] != NOBODY {
        parts.push(format!("claim {} {}", orders.claim[0], orders.claim[1]));
    }
    if orders.peek {
        parts.push("peek".into());
    }
    if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
}

/// Reads orders; each part must be legal.
pub(super) fn read(view: &View, text: &str) -> Result<Orders, String> {
    let mut orders = Orders::NONE;
    let mut hand = view.own_cards.to_vec();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty() && *part != "nothing") {
        let words: Vec<&str> = part.split_whitespace().collect();
        let seat = |word: &str| match word.parse::<u8>() {
            Ok(seat) if seat < 10 => Ok(seat),
            _ => Err(format!("`{part}`: a seat or card is a number from 0 to 9")),
        };
        match words[..] {
            ["challenge", option] => {
                orders.challenge = seat(option)?;
                if !view.options.contains(&orders.challenge) {
                    return Err(format!("`{part}`: you can challenge {}", spaced(view.options)));
                }
            }
            ["give", card, "to", partner] => {
                let (card, partner) = (seat(card)?, seat(partner)?);
                if !view.partners().any(|known| known == partner) {
                    return Err(format!("`{part}`: you trade with {}", spaced(view.partners())));
                }
                let held = hand.iter().position(|&held| held == card);
                hand.remove(held.ok_or_else(|| format!("`{part}`: you have left {}", spaced(&hand)))?);
                if orders.gifts[usize::from(partner)] != NOBODY {
                    return Err(format!("`{part}`: a partner gets one card"));
                }
                orders.give(partner, card);
            }
            ["claim", a, b] => {
                orders.claim = [seat(a)?, seat(b)?];
                if a == b || orders.claim.contains(&view.own_seat) {
                    return Err(format!("`{part}`: two different other players are wanted"));
                }
            }
            ["peek"] if view.own_garnets == 0 => return Err("`peek`: you have no garnet".into()),
            ["peek"] if view.round + 2 > ROUNDS => return Err("`peek`: there is no round left to see".into()),
            ["peek"] => orders.peek = true,
            _ => {
                return Err(format!(
                    "`{part}` is none of `challenge 3`, `give 4 to 7`, `claim 1 5`, `peek`, `nothing`"
                ));
            }
        }
    }
    Ok(orders)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bot_sdk::Plain;
    use bot_sdk::passing_cards::Partner;

    fn view() -> View {
        let mut view = View::zeroed();
        view.own_seat = 2;
        view.round = 3;
        view.own_garnets = 1;
        view.own_cards = [2, 2, 7];
        view.options = [4, 9];
        view.partners =
            [Partner { seat: 5, side: side::PARTNER }, Partner { seat: 6, side: side::SELF }, Partner::NONE];
        view
    }

    #[test]
    fn what_is_told_is_what_is_read() {
        for text in ["nothing", "challenge 9, give 2 to 5, give 7 to 6, claim 0 1, peek", "give 2 to 6"] {
            assert_eq!(phrase(read(&view(), text).unwrap()), text);
        }
        assert_eq!(read(&view(), " peek ,challenge  4").unwrap(), read(&view(), "challenge 4, peek").unwrap());
    }

    #[test]
    fn illegal_parts_say_what_is_legal() {
        for (text, why) in [
            ("challenge 3", "you can challenge 4 9"),
            ("give 2 to 3", "you trade with 5 6"),
            ("give 7 to 5, give 7 to 6", "you have left 2 2"),
            ("give 2 to 5, give 2 to 5", "a partner gets one card"),
            ("claim 2 4", "two different other players"),
            ("claim 4 4", "two different other players"),
            ("claim 4 11", "a number from 0 to 9"),
            ("dance", "is none of"),
        ] {
            let error = read(&view(), text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        let mut late = view();
        late.round = 13;
        assert!(read(&late, "peek").unwrap_err().contains("no round left"));
        late.own_garnets = 0;
        assert!(read(&late, "peek").unwrap_err().contains("no garnet"));
    }
}
