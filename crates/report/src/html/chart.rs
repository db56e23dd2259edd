//! Draws SVG charts: columns by month, rows of small columns, and heat maps by year. One unit of
//! the SVG is one pixel at full width. Colors are CSS classes of the style sheet.

use super::text::{Html, Number, Text};

/// The width of a chart in pixels.
const WIDTH: f64 = 1100.0;
/// The left and right edge of the plot area.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 1072.0;

/// A time axis: a range of months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Months {
    first: u32,
    pub(super) len: u32,
}

impl Months {
    /// Creates the axis from its first and last month, both in the form `1994-12`. Returns `None`
    /// if a month is not in this form, or if the last one precedes the first.
    pub(super) fn new(first: &str, last: &str) -> Option<Self> {
        let (first, last) = (month_number(first)?, month_number(last)?);
        Some(Self { first, len: (last + 1).checked_sub(first)? })
    }

    /// Returns the index of a month on the axis, or `None` if the month is not on it.
    pub(super) fn index_of(self, month: &str) -> Option<usize> {
        let place =
            month_number(month)?.checked_sub(self.first).filter(|&place| place < self.len)?;
        Some(place as usize)
    }

    /// Returns the month at `index` on the axis, in the form `1994-12`.
    fn month_at(self, index: u32) -> String {
        let number = self.first + index;
        format!("{:04}-{:02}", number / 12, number % 12 + 1)
    }

    /// Returns the years that the axis covers.
    pub(super) fn years(self) -> std::ops::RangeInclusive<u16> {
        let year = |number| u16::try_from(number / 12).unwrap_or_default();
        year(self.first)..=year(self.first + self.len.max(1) - 1)
    }

    /// Returns the ticks of the axis, each with the index of its month and its label. They are at
    /// least 48 pixels apart.
    fn ticks(self) -> Vec<(u32, String)> {
        let most = 20;
        if self.len <= most {
            return (0..self.len)
                .map(|place| (place, self.month_at(place)))
                .step_by(if self.len > 12 { 2 } else { 1 })
                .collect();
        }
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
            .into_iter()
            .find(|step| self.len / (12 * step) <= most)
            .unwrap_or(1000);
        let places = (0..self.len).filter(|place| {
            let number = self.first + place;
            number.is_multiple_of(12) && (number / 12).is_multiple_of(step)
        });
        places.map(|place| (place, ((self.first + place) / 12).to_string())).collect()
    }
}

/// Converts a month in the form `1994-12` to the number of months since year 0. Returns `None` if
/// `month` is not in this form.
pub(super) fn month_number(month: &str) -> Option<u32> {
    let (year, month) = month.split_once('-').filter(|(year, _)| year.len() == 4)?;
    let month: u32 = month.parse().ok().filter(|month| *month <= 12)?;
    Some(year.parse::<u32>().ok()? * 12 + month.checked_sub(1)?)
}

/// The values of a time series by month, drawn in one color.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) name: String,
    /// The CSS class that sets the color.
    pub(super) class: &'static str,
    /// The value of each month on the axis.
    pub(super) values: Vec<u64>,
}

/// Fill patterns that can be distinguished in grayscale: the name of a color class, and the path
/// drawn over a tile of 6 by 6 pixels. Shapes use a pattern through the class `s-` + name. Names
/// that are not listed are filled with plain color.
const PATTERNS: [(&str, &str); 7] = [
    ("gopher", "M-1 1L1-1M0 6L6 0M5 7L7 5"),
    ("ftp", "M1 2.5h2v2h-2z"),
    ("news", "M-1 5L1 7M0 0L6 6M5-1L7 1"),
    ("telnet", "M0 3h6"),
    ("https", "M3 0v6"),
    ("mailto", "M0 0L6 6M6 0L0 6"),
    ("other", "M0 3h6M3 0v6"),
];

/// Writes the definitions of the fill patterns, which all charts of the page share.
pub(super) fn write_patterns(out: &mut Html) {
    out.push_raw("<svg class=\"fillings\" aria-hidden=\"true\"><defs>");
    for (name, path) in PATTERNS {
        out.push_formatted(format_args!(
            "<pattern id=\"f-{name}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
             <rect class=\"c-{name}\" width=\"6\" height=\"6\"/><path class=\"over\" d=\"{path}\"/></pattern>"
        ));
    }
    out.push_raw("</defs></svg>\n");
}

/// Writes an SVG element of `height` pixels. `draw` writes its content. Screen readers read `title`
/// and the description `about`.
fn write_svg(
    out: &mut Html,
    id: &str,
    title: &str,
    about: &str,
    height: f64,
    draw: impl FnOnce(&mut Html),
) {
    out.push_formatted(format_args!(
        "<div class=\"scroll\" role=\"group\" aria-label=\"{title}\" tabindex=\"0\">\
         <svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\
         <title id=\"{id}-t\">{title}</title><desc id=\"{id}-d\">{about}</desc>\n",
        title = Text(title),
        about = Text(about),
    ));
    draw(out);
    out.push_raw("</svg></div>\n");
}

/// Writes a chart with one column per month, in which the series are stacked in order. Screen
/// readers read `title` and the description `about`.
pub(super) fn write_column_chart(
    out: &mut Html,
    id: &str,
    title: &str,
    about: &str,
    months: Months,
    series: &[Series],
) {
    let height = 300.0;
    let (top, bottom) = (14.0, height - 30.0);
    let width = (RIGHT - LEFT) / f64::from(months.len.max(1));
    let gap = if width > 5.0 { 1.0 } else { 0.0 };
    let sums: Vec<u64> =
        (0..months.len as usize).map(|at| series.iter().map(|s| s.values[at]).sum()).collect();
    let most = sums.iter().copied().max().unwrap_or_default().max(1);
    let y = |value: u64| bottom - (bottom - top) * to_pixels(value) / to_pixels(most);
    write_svg(out, id, title, about, height, |out| {
        let step = tick_step(most);
        for value in (0..=most).step_by(usize::try_from(step).unwrap_or(1)) {
            let y = y(value);
            out.push_formatted(format_args!(
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text class=\"r\" x=\"{:.0}\" y=\"{:.1}\">{}</text>\n",
                LEFT - 6.0,
                y + 4.0,
                Number(value)
            ));
        }
        write_ticks(out, months, bottom, height - 10.0, width);
        let mut below = vec![0; sums.len()];
        for Series { class, values, .. } in series.iter().filter(|series| !series.class.is_empty())
        {
            out.push_formatted(format_args!("<path class=\"{class}\" d=\""));
            for ((place, &value), below) in values.iter().enumerate().zip(&mut below) {
                if value == 0 {
                    continue;
                }
                let (lower, upper) = (y(*below), y(*below + value));
                *below += value;
                let x = LEFT + width * to_pixels(place as u64);
                out.push_formatted(format_args!(
                    "M{x:.1} {lower:.1}h{:.1}V{upper:.1}H{x:.1}z",
                    width - gap
                ));
            }
            out.push_raw("\"/>\n");
        }
        for (place, sum) in (0_u32..).zip(&sums).filter(|(_, sum)| **sum > 0) {
            let at = place as usize;
            let x = LEFT + width * f64::from(place);
            out.push_formatted(format_args!(
                "<rect class=\"hit\" x=\"{x:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{:.0}\"><title>{}: {}",
                bottom - top,
                months.month_at(place),
                Number(*sum)
            ));
            if series.len() > 1 {
                for series in series.iter().filter(|series| series.values[at] > 0) {
                    out.push_formatted(format_args!(
                        ", {} {}",
                        Text(&series.name),
                        Number(series.values[at])
                    ));
                }
            }
            out.push_raw("</title></rect>\n");
        }
    });
}

/// Writes a chart with one row of small columns per series. Each row has its own scale and the name
/// of the series next to it. Screen readers read `title` and the description `about`.
pub(super) fn write_row_chart(
    out: &mut Html,
    id: &str,
    title: &str,
    about: &str,
    months: Months,
    series: &[Series],
) {
    let line = 34.0;
    let height = line * to_pixels(series.len() as u64) + 30.0;
    let (left, right) = (LEFT + 40.0, RIGHT - 90.0);
    let width = (right - left) / f64::from(months.len.max(1));
    write_svg(out, id, title, about, height, |out| {
        for (Series { name, class, values }, index) in series.iter().zip(0_u64..) {
            let base = line * to_pixels(index + 1);
            let most = values.iter().copied().max().unwrap_or_default().max(1);
            out.push_formatted(format_args!(
                "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{base:.0}\" y2=\"{base:.0}\"/>\
                 <text class=\"r b\" x=\"{:.0}\" y=\"{:.0}\">{}</text><text x=\"{:.0}\" y=\"{:.0}\">{}</text><path class=\"{class}\" d=\"",
                left - 8.0,
                base - 4.0,
                Text(name),
                right + 8.0,
                base - 4.0,
                Number(values.iter().sum())
            ));
            for (place, &value) in values.iter().enumerate().filter(|(_, value)| **value > 0) {
                let x = left + width * to_pixels(place as u64);
                // At least one pixel, so that every number above 0 is visible.
                let tall = ((line - 6.0) * to_pixels(value) / to_pixels(most)).max(1.0);
                out.push_formatted(format_args!(
                    "M{x:.1} {base:.0}h{:.1}v-{tall:.1}h-{:.1}z",
                    width.max(1.0),
                    width.max(1.0)
                ));
            }
            out.push_raw("\"/>\n");
        }
        let base = line * to_pixels(series.len() as u64);
        for (place, name) in months.ticks() {
            let x = left + width * (f64::from(place) + 0.5);
            out.push_formatted(format_args!(
                "<text class=\"m\" x=\"{x:.1}\" y=\"{:.0}\">{name}</text>\n",
                base + 20.0
            ));
        }
    });
}

/// Writes the ticks of the time axis and their labels. `axis_y` is the vertical position of the
/// axis, `label_y` is that of the labels, and `month_width` is the width of a month, all in pixels.
fn write_ticks(out: &mut Html, months: Months, axis_y: f64, label_y: f64, month_width: f64) {
    for (place, name) in months.ticks() {
        let x = LEFT + month_width * (f64::from(place) + 0.5);
        out.push_formatted(format_args!(
            "<line class=\"tick\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{axis_y}\" y2=\"{:.0}\"/><text class=\"m\" x=\"{x:.1}\" y=\"{label_y}\">{name}</text>\n",
            axis_y + 5.0
        ));
    }
}

/// A row of a heat map, e.g. for a top-level domain.
#[derive(Clone, Debug)]
pub(super) struct HeatMapRow {
    pub(super) name: String,
    /// The intensity from 0 to 1 and the label of each year's cell.
    pub(super) cells: Vec<(f64, String)>,
}

/// Writes a heat map with one column for each of `years` and one row for each of `rows`. The label
/// of a cell is omitted if it doesn't fit.
pub(super) fn write_heat_map(
    out: &mut Html,
    id: &str,
    title: &str,
    about: &str,
    years: &[u16],
    rows: &[HeatMapRow],
) {
    let (left, line) = (290.0, 24.0);
    let height = line * to_pixels(rows.len() as u64) + 26.0;
    let width = (RIGHT - left) / to_pixels(years.len().max(1) as u64);
    let width = width.min(110.0);
    let (letter, small) = if width < 40.0 { (5.7, " small") } else { (6.8, "") };
    write_svg(out, id, title, about, height, |out| {
        let every = [1_usize, 2, 5, 10, 20, 50]
            .into_iter()
            .find(|&n| width * to_pixels(n as u64) > 34.0)
            .unwrap_or(100);
        for (index, year) in years.iter().enumerate().step_by(every) {
            let x = left + width * (to_pixels(index as u64) + 0.5);
            out.push_formatted(format_args!(
                "<text class=\"m\" x=\"{x:.1}\" y=\"14\">{year}</text>\n"
            ));
        }
        for (index, HeatMapRow { name, cells }) in (0_u64..).zip(rows) {
            let y = 20.0 + line * to_pixels(index);
            let short = shorten_label(name);
            out.push_formatted(format_args!(
                "<text class=\"r\" x=\"{:.0}\" y=\"{:.0}\">{}<title>{}</title></text>\n",
                left - 8.0,
                y + 16.0,
                Text(&short),
                Text(name)
            ));
            for (place, (strength, label)) in (0_u64..).zip(cells) {
                let x = left + width * to_pixels(place);
                let year = years
                    .get(usize::try_from(place).unwrap_or_default())
                    .copied()
                    .unwrap_or_default();
                let (shown, inner) = (width - 1.0, line - 1.0);
                if *strength <= 0.0 {
                    continue;
                }
                let opacity = 0.08 + 0.92 * strength;
                out.push_formatted(format_args!(
                    "<rect class=\"heat\" fill-opacity=\"{opacity:.2}\" x=\"{x:.1}\" y=\"{y:.0}\" width=\"{shown:.1}\" height=\"{inner}\"><title>{}, {year}: {}</title></rect>",
                    Text(name),
                    Text(label)
                ));
                if to_pixels(label.len() as u64) * letter + 1.0 < width {
                    let class = if opacity > 0.55 { "m hi" } else { "m" };
                    out.push_formatted(format_args!(
                        "<text class=\"{class}{small}\" x=\"{:.1}\" y=\"{:.0}\">{}</text>",
                        x + shown / 2.0,
                        y + 16.0,
                        Text(label)
                    ));
                }
                out.push_raw("\n");
            }
        }
    });
}

/// Shortens the label of a heat map's row to fit. Keeps the end of a path, because it is more
/// specific, and the start of any other label.
fn shorten_label(name: &str) -> String {
    const MOST: usize = 42;
    let len = name.chars().count();
    if len <= MOST {
        return name.to_owned();
    }
    if name.contains('/') {
        return std::iter::once('…').chain(name.chars().skip(len + 1 - MOST)).collect();
    }
    name.chars().take(MOST - 1).chain(std::iter::once('…')).collect()
}

/// Returns an inline chart of `values`, pairs of a year and a number, as SVG. `years` is the
/// horizontal axis. Screen readers read the numbers.
pub(super) fn sparkline(years: &[u16], values: &[(u16, u64)]) -> String {
    let mut out = Html::default();
    let most = values.iter().map(|(_, value)| *value).max().unwrap_or_default().max(1);
    let width = 120.0 / to_pixels(years.len().max(1) as u64);
    let mut spoken = Vec::new();
    let mut path = Html::default();
    for (year, value) in values {
        let Some(place) = years.iter().position(|known| known == year) else { continue };
        spoken.push(format!("{year}: {}", Number(*value)));
        let x = width * to_pixels(place as u64);
        let tall = (18.0 * to_pixels(*value) / to_pixels(most)).max(1.0);
        let wide = (width - 0.5).max(0.7);
        path.push_formatted(format_args!("M{x:.1} 20h{wide:.1}v-{tall:.1}h-{wide:.1}z"));
    }
    if spoken.is_empty() {
        return "<span class=\"none\">no dates</span>".to_owned();
    }
    out.push_formatted(format_args!(
        "<svg class=\"spark\" viewBox=\"0 0 120 20\" role=\"img\" aria-label=\"by year: {0}\"><title>{0}</title>\
         <line class=\"grid\" x1=\"0\" x2=\"120\" y1=\"19.75\" y2=\"19.75\"/><path class=\"s-http\" d=\"{1}\"/></svg>",
        spoken.join(", "),
        path.into_string()
    ));
    out.into_string()
}

/// Returns the distance between two ticks of an axis from 0 to `max`. It is 1, 2 or 5 times a power
/// of ten, and at most five steps fit into `max`.
fn tick_step(max: u64) -> u64 {
    let mut power = 1;
    loop {
        for step in [power, 2 * power, 5 * power] {
            if max / step <= 5 {
                return step;
            }
        }
        power *= 10;
    }
}

/// Converts a number to a pixel coordinate, where rounding doesn't matter.
#[expect(clippy::cast_precision_loss, reason = "pixels")]
pub(super) fn to_pixels(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes() {
        let months = Months::new("1993-11", "1995-02").unwrap();
        assert_eq!((months.len, months.index_of("1994-01")), (16, Some(2)));
        assert_eq!((months.index_of("1993-10"), months.index_of("1995-03")), (None, None));
        assert_eq!(months.month_at(2), "1994-01");
        assert_eq!(months.years(), 1993..=1995);
        let long = Months::new("1970-01", "2024-12").unwrap();
        assert_eq!(long.ticks()[0], (0, "1970".to_owned()));
        assert!(long.ticks().len() <= 20);
        assert_eq!([0, 5, 6, 11, 60, 1234].map(tick_step), [1, 1, 2, 2, 20, 500]);
    }
}
