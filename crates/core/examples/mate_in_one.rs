//! Finds mates in one, for each SFEN on standard input:
//! `echo '4k4/9/4P4/9/9/9/9/9/9 b G 1' | cargo run --release --example mate_in_one`.

use std::io::{self, BufRead};

use tsumero_core::{Position, notation};

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        match line?.parse::<Position>() {
            Ok(position) => match position.mate_in_one() {
                Some(mv) => println!("{mv} {}", notation::japanese(&position, mv, None)),
                None => println!("none"),
            },
            Err(error) => println!("error {error}"),
        }
    }
    Ok(())
}
