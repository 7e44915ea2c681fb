//! Loss curves as SVG.

use std::fmt::Write;

use super::EpochLoss;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// Room for numbers: left, right, top, bottom.
const MARGIN: (f64, f64, f64, f64) = (80.0, 20.0, 40.0, 50.0);

/// Draws the losses of all epochs. Needs at least one epoch.
pub(crate) fn loss_curve(losses: &[EpochLoss], title: &str) -> String {
    let values = || losses.iter().flat_map(|loss| [loss.training, loss.held_out]);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let span = (high - low).max(1e-9);
    let (left, right, top, bottom) = MARGIN;
    let last = losses.len().saturating_sub(1).max(1) as f64;
    let x = |epoch: usize| left + (WIDTH - left - right) * epoch as f64 / last;
    let y = |loss: f64| top + (HEIGHT - top - bottom) * (high - loss) / span;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"22\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    for line in 0..=4 {
        let loss = low + span * f64::from(line) / 4.0;
        let height = y(loss);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{height:.1}\" y2=\"{height:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.5}</text>",
            WIDTH - right,
            left - 8.0,
            height + 4.0
        );
    }
    for epoch in [0, losses.len().saturating_sub(1)] {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">epoch {epoch}</text>",
            x(epoch),
            HEIGHT - 25.0
        );
    }
    let training: Vec<f64> = losses.iter().map(|loss| loss.training).collect();
    let held_out: Vec<f64> = losses.iter().map(|loss| loss.held_out).collect();
    let curves = [("training", "#3465a4", training), ("held out", "#cc0000", held_out)];
    for (number, (name, color, losses)) in curves.into_iter().enumerate() {
        let points: Vec<String> = losses
            .iter()
            .enumerate()
            .map(|(epoch, &loss)| format!("{:.1},{:.1}", x(epoch), y(loss)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{color}\">{name}</text>",
            points.join(" "),
            WIDTH - right - 10.0,
            top + 16.0 * (number as f64 + 1.0)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_falls_from_the_top_to_the_bottom_of_the_frame() {
        let loss = |training, held_out| EpochLoss { training, held_out };
        let svg = loss_curve(&[loss(0.7, 0.69), loss(0.65, 0.66), loss(0.6, 0.63)], "a < b");
        assert!(svg.contains("points=\"80.0,40.0 390.0,195.0 700.0,350.0\""), "{svg}");
        assert!(svg.contains("a &lt; b"));
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(loss_curve(&[loss(0.5, 0.5)], "").contains("polyline"));
    }
}
