// Runs the conformance suite for URL extraction on your code, with node:test.
//
//   import { conformance } from './conformance/js/index.mjs';
//   import { find } from 'my-tool';
//
//   conformance({ levels: [1, 2, 7], find: (text) => find(text) });
//
// `find` returns a list of { start, end, url? }, in UTF-16 code units. `knownFailures` maps the IDs of
// cases that fail to their reasons; it is an error if one of them passes.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const directory = new URL('../cases/', import.meta.url);
const startsWithScheme = /^\s*[A-Za-z][A-Za-z0-9+.\-\s]*:/;

/** Returns the cases of these levels (default: all), each with its level. */
export function cases(levels) {
  const all = [];
  for (const name of readdirSync(directory).filter((name) => name.endsWith('.json')).sort()) {
    const suite = JSON.parse(readFileSync(new URL(name, directory), 'utf8'));
    if (!levels || levels.includes(suite.level)) {
      all.push(...suite.cases.map((each) => ({ ...each, level: suite.level })));
    }
  }
  return all;
}

/** Returns the input of a case. Input that isn't UTF-8 becomes one code unit per byte. */
export function textOf(each) {
  return each.text ?? Buffer.from(each.bytes, 'base64').toString('latin1');
}

/** Returns the range of a span in UTF-16 code units, or null if it has none. */
function rangeOf(span) {
  if (span.start === null) return null;
  return span.utf16 ?? [span.start, span.end];
}

/** Compares the found URLs with each right answer. Returns the best comparison: { missing, extra }. */
export function judge(each, found) {
  const text = textOf(each);
  const answers = [each.spans, ...(each.alternatives ?? []).map((other) => other.spans)];
  const isExpected = ({ start, end, url }) =>
    answers.flat().some((span) => {
      const range = rangeOf(span);
      return range ? range[0] === start && range[1] === end : span.url === url;
    });
  const relevant = [];
  for (const { start, end, url = text.slice(start, end) } of found) {
    if ((each.optional ?? []).some(({ utf16 }) => utf16[0] <= start && end <= utf16[1])) continue;
    const written = text.slice(start, end);
    // A bare host may be reported with a scheme that the text doesn't have.
    const counts = startsWithScheme.test(written) || (startsWithScheme.test(url) && !url.includes(written));
    const isNew = !relevant.some((other) => other.start === start && other.end === end && other.url === url);
    if (isNew && (counts || isExpected({ start, end, url }))) relevant.push({ start, end, url });
  }
  const compare = (answer) => {
    const extra = [...relevant];
    const missing = answer.filter((span) => {
      const range = rangeOf(span);
      const at = extra.findIndex((one) => {
        if (!range) return one.url === span.url;
        // The URL is only compared where it differs from the text of the range.
        return one.start === range[0] && one.end === range[1] && (text.slice(...range) === span.url || one.url === span.url);
      });
      if (at >= 0) extra.splice(at, 1);
      return at < 0;
    });
    return { missing, extra };
  };
  const size = ({ missing, extra }) => missing.length + extra.length;
  return answers.map(compare).reduce((best, next) => (size(next) < size(best) ? next : best));
}

/** Returns the lines that contain a mistake, with the expected and the found URLs underlined. */
export function explain(each, { missing, extra }) {
  const out = [`${each.id} (level ${each.level}): ${each.title}`];
  const expected = missing.map(rangeOf).filter(Boolean);
  const reported = extra.map(({ start, end }) => [start, end]);
  let at = 0;
  for (const line of textOf(each).split(/(?<=\n)/)) {
    const rows = [['^', 'expected', expected], ['~', 'found', reported]];
    const lines = rows
      .filter(([, , ranges]) => ranges.some(([start, end]) => start < at + line.length && end > at))
      .map(([mark, name, ranges]) => {
        let unit = at;
        const marks = Array.from(line.trimEnd(), (character) => {
          const isIn = ranges.some(([start, end]) => start <= unit && unit < end);
          unit += character.length;
          return isIn ? mark : ' ';
        });
        return `  | ${marks.join('').trimEnd()}  ${name}`;
      });
    if (lines.length) out.push(`  | ${line.trimEnd().replaceAll('\t', ' ')}`, ...lines);
    at += line.length;
  }
  out.push(...missing.map(({ url }) => `  missing: ${url}`));
  out.push(...extra.map(({ start, end, url }) => `  not expected: ${start}..${end} ${url}`), `  why: ${each.why}`);
  return out.join('\n');
}

/** Defines one test for each case. */
export function conformance({ find, levels, knownFailures = {} }) {
  for (const each of cases(levels)) {
    test(each.id, () => {
      const result = judge(each, find(textOf(each), each));
      const fails = result.missing.length + result.extra.length > 0;
      if (each.id in knownFailures) {
        assert.ok(fails, `${each.id} is listed as a known failure, but does not fail`);
      } else {
        assert.ok(!fails, `\n${explain(each, result)}`);
      }
    });
  }
}
