//! Perfect play of a Little Hunters bout, solved by linear programming.

use arena::analysis::little_hunters::{Card, Choice, Policy, PolicyError, State, best_response, bout, equilibrium};
use microlp::{ComparisonOp, OptimizationDirection, Problem};

/// A guess of 0 skips.
fn choice(own: u8, guess: u8) -> Choice {
    Choice { card: Card::new(own).expect("a card"), guess: Card::new(guess) }
}

fn assert_close(found: f64, wanted: f64, what: &str) {
    assert!((found - wanted).abs() < 1e-9, "{what}: found {found}, wanted {wanted}");
}

/// An optimal mix of the rows of a matrix game.
fn solve(payoffs: &[Vec<f64>]) -> Result<Vec<f64>, PolicyError> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = problem.add_var(1.0, (-1.0, 1.0));
    let mix: Vec<_> = payoffs.iter().map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    let whole: Vec<_> = mix.iter().map(|&p| (p, 1.0)).collect();
    problem.add_constraint(&whole, ComparisonOp::Eq, 1.0);
    for column in 0..payoffs[0].len() {
        let mut gain: Vec<_> = mix.iter().zip(payoffs).map(|(&p, row)| (p, row[column])).collect();
        gain.push((value, -1.0));
        problem.add_constraint(&gain, ComparisonOp::Ge, 0.0);
    }
    let solution = problem.solve().expect("a solution").into_solution().expect("no interruption");
    Ok(mix.iter().map(|&p| solution.var_value(p).max(0.0)).collect())
}

#[test]
fn an_equilibrium_cannot_be_exploited() {
    let nash = equilibrium(solve).expect("an equilibrium");
    assert_close(bout(&nash, &nash).payoff(), 0.0, "value");
    assert_close(best_response(&nash).payoff, 0.0, "exploitability");
    for (name, policy) in [
        ("uniform", Policy::uniform()),
        ("highest", Policy::highest()),
        ("lowest", Policy::lowest()),
        ("silent", Policy::silent()),
    ] {
        let payoff = bout(&nash, &policy).payoff();
        assert!(payoff > -1e-9, "{payoff} against {name}");
    }
}

#[test]
fn an_equilibrium_starts_with_the_known_choices() {
    let nash = equilibrium(solve).expect("an equilibrium");
    let found: Vec<_> = nash.choices(State::START).collect();
    let wanted = [
        (choice(1, 2), 0.089908),
        (choice(2, 3), 0.165791),
        (choice(2, 4), 0.152194),
        (choice(3, 4), 0.110214),
        (choice(3, 5), 0.1319),
        (choice(4, 5), 0.199542),
        (choice(5, 0), 0.150451),
    ];
    assert_eq!(found.len(), wanted.len(), "{found:?}");
    for ((found, p), (wanted, q)) in found.into_iter().zip(wanted) {
        assert_eq!(found, wanted);
        assert!((p - q).abs() < 1e-6, "{found:?}: found {p}, wanted {q}");
    }
}
