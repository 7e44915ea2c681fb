//! Signed LEB128: seven bits in each byte, the lowest first. Bit 7 says that another byte follows,
//! and bit 6 of the last byte is the sign.

use crate::error::NetworkError;

/// The greatest number of bytes that a number of 16 bits may have.
pub(crate) const LONGEST: usize = 3;
/// Numbers that are decoded at once while each of them has a single byte.
const STEP: usize = 16;

/// Decodes numbers of 16 bits and writes each times two, with wrap-around. Returns how many bytes
/// were used, and how many numbers were written. Unless the bytes are the last ones, a number may
/// be cut off at their end; its bytes are not used.
///
/// # Errors
///
/// [`NetworkError::Compression`]
pub(crate) fn decode_doubled(
    bytes: &[u8],
    is_last: bool,
    numbers: &mut [i16],
) -> Result<(usize, usize), NetworkError> {
    let wrong = |found| Err(NetworkError::Compression { found });
    let (mut used, mut written) = (0, 0);
    while used < bytes.len() {
        if let (Some(chunk), Some(place)) =
            (bytes[used..].first_chunk::<STEP>(), numbers[written..].first_chunk_mut::<STEP>())
            && chunk.iter().fold(0, |all, byte| all | byte) < 0x80
        {
            for (number, &byte) in place.iter_mut().zip(chunk) {
                // The bit that is the sign becomes that of the byte, and the number is doubled.
                *number = i16::from((byte << 1) as i8);
            }
            (used, written) = (used + STEP, written + STEP);
            continue;
        }
        // A few numbers before the next look at a whole step.
        for _ in 0..STEP {
            let Some(&first) = bytes.get(used) else { break };
            let (mut value, mut length, mut last) = (i32::from(first & 0x7f), 1, first);
            while last >= 0x80 {
                let Some(&next) = bytes.get(used + length) else {
                    return if is_last {
                        wrong("a number that is cut off")
                    } else {
                        Ok((used, written))
                    };
                };
                if length == LONGEST {
                    return wrong("a number of more than three bytes");
                }
                value |= i32::from(next & 0x7f) << (7 * length);
                (length, last) = (length + 1, next);
            }
            let unused = 32 - 7 * length as u32;
            let Ok(value) = i16::try_from(value << unused >> unused) else {
                return wrong("a number of more than 16 bits");
            };
            let Some(number) = numbers.get_mut(written) else {
                return wrong("more numbers than any shape has");
            };
            *number = value.wrapping_mul(2);
            (used, written) = (used + length, written + 1);
        }
    }
    Ok((used, written))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes as the definition says, one number after the other.
    fn encode(numbers: &[i16]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &number in numbers {
            let mut rest = i32::from(number);
            loop {
                let byte = (rest & 0x7f) as u8;
                rest >>= 7;
                if rest == 0 && byte < 0x40 || rest == -1 && byte >= 0x40 {
                    bytes.push(byte);
                    break;
                }
                bytes.push(byte | 0x80);
            }
        }
        bytes
    }

    #[test]
    fn all_numbers_are_decoded_wherever_the_bytes_are_cut() {
        // Examples of the definition.
        assert_eq!(encode(&[2, -2, 127, -127, 128]), [2, 0x7e, 0xff, 0, 0x81, 0x7f, 0x80, 1]);
        let mut all: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        all.extend((0..4000).map(|k| if k % 97 == 0 { k * 5 } else { k % 64 }));
        let (bytes, doubled) =
            (encode(&all), all.iter().map(|n| n.wrapping_mul(2)).collect::<Vec<_>>());
        for step in [1, 2, 3, 7, 40, 1000, bytes.len()] {
            let mut found = vec![0; all.len()];
            let (mut used, mut written) = (0, 0);
            for end in (0..bytes.len()).step_by(step).map(|begin| bytes.len().min(begin + step)) {
                let is_last = end == bytes.len();
                let part = decode_doubled(&bytes[used..end], is_last, &mut found[written..]);
                let (more_used, more_written) = part.unwrap();
                (used, written) = (used + more_used, written + more_written);
            }
            assert_eq!((used, written), (bytes.len(), all.len()));
            assert_eq!(found, doubled);
        }
    }

    #[test]
    fn what_is_no_number_of_16_bits_is_refused() {
        let mut numbers = [0; 40];
        let mut found = |bytes: &[u8]| match decode_doubled(bytes, true, &mut numbers) {
            Err(NetworkError::Compression { found }) => found,
            other => panic!("{other:?}"),
        };
        assert_eq!(found(&[0x80]), "a number that is cut off");
        assert_eq!(found(&[1, 0x80, 0x80]), "a number that is cut off");
        assert_eq!(found(&[0x80, 0x80, 0x80, 0]), "a number of more than three bytes");
        // 32768 and -32769.
        assert_eq!(found(&[0x80, 0x80, 0x02]), "a number of more than 16 bits");
        assert_eq!(found(&[0xff, 0xff, 0x7d]), "a number of more than 16 bits");
        assert_eq!(found(&[1; 41]), "more numbers than any shape has");
        assert!(decode_doubled(&[1; 40], true, &mut numbers).is_ok());
    }
}
