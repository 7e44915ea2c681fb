//! The squares by name: `Square::SQ_7G` is 7g.

use crate::square::{File, Rank, Square};

macro_rules! named_squares {
    ($($file:literal: $($name:ident)*;)*) => {
        impl Square {
            $($(
                #[doc = concat!("The square of that name, on file ", $file, ".")]
                pub const $name: Square = named(stringify!($name));
            )*)*
        }

        #[cfg(test)]
        const NAMED: [(&str, Square); 81] = [$($((stringify!($name), Square::$name),)*)*];
    };
}

named_squares! {
    1: SQ_1A SQ_1B SQ_1C SQ_1D SQ_1E SQ_1F SQ_1G SQ_1H SQ_1I;
    2: SQ_2A SQ_2B SQ_2C SQ_2D SQ_2E SQ_2F SQ_2G SQ_2H SQ_2I;
    3: SQ_3A SQ_3B SQ_3C SQ_3D SQ_3E SQ_3F SQ_3G SQ_3H SQ_3I;
    4: SQ_4A SQ_4B SQ_4C SQ_4D SQ_4E SQ_4F SQ_4G SQ_4H SQ_4I;
    5: SQ_5A SQ_5B SQ_5C SQ_5D SQ_5E SQ_5F SQ_5G SQ_5H SQ_5I;
    6: SQ_6A SQ_6B SQ_6C SQ_6D SQ_6E SQ_6F SQ_6G SQ_6H SQ_6I;
    7: SQ_7A SQ_7B SQ_7C SQ_7D SQ_7E SQ_7F SQ_7G SQ_7H SQ_7I;
    8: SQ_8A SQ_8B SQ_8C SQ_8D SQ_8E SQ_8F SQ_8G SQ_8H SQ_8I;
    9: SQ_9A SQ_9B SQ_9C SQ_9D SQ_9E SQ_9F SQ_9G SQ_9H SQ_9I;
}

/// The square that a name such as `SQ_7G` stands for.
const fn named(name: &str) -> Square {
    let name = name.as_bytes();
    match (File::new(name[3] - b'0'), Rank::new(name[4] - b'A' + 1)) {
        (Some(file), Some(rank)) => Square::new(file, rank),
        _ => panic!("a name consists of SQ_, a file and a rank"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_its_name() {
        for ((name, square), expected) in NAMED.into_iter().zip(Square::all()) {
            assert_eq!(square, expected);
            assert_eq!(name, format!("SQ_{}", square.to_string().to_uppercase()));
        }
    }
}
