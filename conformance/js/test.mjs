// Tests of the comparison and of the helper: node --test conformance/js/test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cases, conformance, judge, textOf } from './index.mjs';

const scoring = JSON.parse(readFileSync(new URL('../scoring.json', import.meta.url), 'utf8'));

/** Returns a function that converts an offset in bytes to UTF-16 code units. */
function units(each) {
  const bytes = each.text === undefined ? null : Buffer.from(each.text);
  return (at) => (bytes ? bytes.subarray(0, at).toString().length : at);
}

for (const { name, case: each, found, missing, extra } of scoring) {
  test(`answers are judged as in the other languages: ${name}`, () => {
    const convert = units(each);
    const result = judge(each, found.map(({ start, end, url }) => ({ start: convert(start), end: convert(end), url })));
    assert.deepEqual([result.missing.length, result.extra.length], [missing, extra]);
  });
}

const right = (_, each) =>
  each.spans.map(({ start, end, utf16, url }) => ({ start: utf16?.[0] ?? start ?? 0, end: utf16?.[1] ?? end ?? 0, url }));
const first = cases([1]).find((each) => each.spans.length && textOf(each));

conformance({ levels: [1, 4, 6, 7], find: right });
conformance({ levels: [1], find: (text, each) => (each.id === first.id ? [] : right(text, each)), knownFailures: { [first.id]: 'nothing is found' } });
