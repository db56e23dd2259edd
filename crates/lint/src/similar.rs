//! Finds the name that is most similar to a given name.

/// Returns the name in `names` that is most similar to `name`, for "did you mean" suggestions.
/// Returns `None` if no name is similar enough.
///
/// Takes quadratic time in the length of a name.
///
/// ```
/// assert_eq!(urlsift_lint::most_similar("profil", ["profile", "rejoin"]), Some("profile"));
/// ```
pub fn most_similar<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let max_cost = 2 + name.len() / 4;
    // The distance is at least the difference of the lengths.
    let names = names.into_iter().filter(|known| known.len().abs_diff(name.len()) <= max_cost);
    let scored = names.map(|known| (edit_distance(name.as_bytes(), known.as_bytes()), known));
    let (cost, known) = scored.min()?;
    (cost <= max_cost).then_some(known)
}

/// Returns the edit distance of `a` and `b`: the number of bytes to insert, delete, replace, or
/// swap with the next byte. Takes quadratic time, so use it only for short names.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let width = b.len() + 1;
    let mut cost = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let at = i * width + j;
            if i == 0 || j == 0 {
                cost[at] = i + j;
                continue;
            }
            let other = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (cost[at - width - 1] + other).min(cost[at - 1] + 1).min(cost[at - width] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(cost[at - 2 * width - 2] + 1);
            }
            cost[at] = best;
        }
    }
    cost[cost.len() - 1]
}
