//! How much of a given time is kept back for the way of the answer.

use std::time::Duration;

use crate::time_settings::TimeSettings;

/// The least margin for any given time: a twentieth, at most 10 ms. It covers the way of the answer
/// through the operating system, even where both network delays are set to 0.
fn reserve(time: Duration) -> Duration {
    (time / 20).min(Duration::from_millis(10))
}

/// The part of a given time after which the answer must be on its way.
///
/// ```
/// use std::time::Duration;
/// let ms = Duration::from_millis;
/// assert_eq!(tsumero_control::time_to_use(ms(1000)), ms(990));
/// assert_eq!(tsumero_control::time_to_use(ms(100)), ms(95));
/// ```
pub fn time_to_use(given: Duration) -> Duration {
    given.saturating_sub(reserve(given))
}

/// A network delay, reduced to a twentieth of the time that it is taken from, or to 4 ms where that
/// is more. A full margin would leave nothing of a short byoyomi. Whoever sets more than the default
/// has a slow connection: that part is added, up to half of the time in all.
pub(crate) fn margin(delay: Duration, time: Duration) -> Duration {
    let most = (time / 20).max(Duration::from_millis(4)).min(time / 10);
    let more = delay.saturating_sub(TimeSettings::default().network_delay2);
    delay.min(most).saturating_add(more).min(time / 2).max(reserve(time))
}
