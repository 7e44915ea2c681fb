//! The rows of [`ZoneKA1`](crate::Kind::ZoneKa1) in files: rows that all parts share, and the
//! differences of each part from them.
//!
//! The parts of a trained network differ little. So a difference is one byte, the file has little
//! more than half of the size, and compressed little more than a quarter.

/// The rows of all parts, from the shared ones and from the differences.
pub(crate) fn join(shared: &[i16], differences: &[i8], rows: &mut [i16]) {
    let parts = rows.chunks_exact_mut(shared.len()).zip(differences.chunks_exact(shared.len()));
    for (rows, differences) in parts {
        for ((row, &shared), &difference) in rows.iter_mut().zip(shared).zip(differences) {
            *row = shared.wrapping_add(difference.into());
        }
    }
}

/// The medians of the rows of all parts.
fn medians(rows: &[i16], parts: usize) -> Vec<i16> {
    let size = rows.len() / parts;
    let median = |place: usize| {
        let mut numbers: Vec<i16> = (0..parts).map(|part| rows[part * size + place]).collect();
        numbers.sort_unstable();
        numbers[parts / 2]
    };
    (0..size).map(median).collect()
}

/// Shared rows and differences that [`join`] makes these rows of; `None` if some difference does
/// not fit in a byte. The shared numbers are the medians, so that most differences are small.
pub(crate) fn split(rows: &[i16], parts: usize) -> Option<(Vec<i16>, Vec<i8>)> {
    let shared = medians(rows, parts);
    let difference =
        |(&row, &shared): (&i16, &i16)| i8::try_from(i32::from(row) - i32::from(shared)).ok();
    let differences: Option<Vec<i8>> =
        rows.iter().zip(shared.iter().cycle()).map(difference).collect();
    Some((shared, differences?))
}

/// Brings rows so close to the medians that [`split`] finds no difference too large. The medians
/// stay the same.
pub(crate) fn bring_together(rows: &mut [i16], parts: usize) {
    let shared = medians(rows, parts);
    for (row, shared) in rows.iter_mut().zip(shared.iter().cycle()) {
        let least = shared.saturating_add(i8::MIN.into());
        *row = (*row).clamp(least, shared.saturating_add(i8::MAX.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_put_together_again() {
        let rows = [5, -300, 32_767, 4, -310, 32_700, 132, -200, 32_640];
        let (shared, differences) = split(&rows, 3).unwrap();
        assert_eq!(shared, [5, -300, 32_700]);
        assert_eq!(differences, [0, 0, 67, -1, -10, 0, 127, 100, -60]);
        let mut joined = [0; 9];
        join(&shared, &differences, &mut joined);
        assert_eq!(joined, rows);
        // 128 above the median.
        for (mut rows, parts, nearest) in [
            (vec![1, 1, 129], 3, vec![1, 1, 128]),
            (vec![i16::MIN, i16::MAX], 2, vec![i16::MAX - 128, i16::MAX]),
        ] {
            assert_eq!(split(&rows, parts), None);
            bring_together(&mut rows, parts);
            assert_eq!(rows, nearest);
            assert!(split(&rows, parts).is_some());
        }
    }
}
