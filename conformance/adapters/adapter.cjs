// Reads requests and writes answers, for the adapters in JavaScript.
'use strict';
const fs = require('fs');
const path = require('path');

/** Returns the version of an installed package. */
function version(name) {
  for (const directory of (process.env.NODE_PATH || '').split(path.delimiter).concat(module.paths)) {
    const file = path.join(directory, name, 'package.json');
    if (directory && fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8')).version;
  }
  return 'unknown';
}

/** Returns the text of a request. Bytes become one UTF-16 unit each, so that offsets stay the same. */
function textOf(request) {
  return request.text ?? Buffer.from(request.bytes, 'base64').toString('latin1');
}

/** Answers all requests on stdin. `find(text, request)` returns a list of { start, end, url }. */
function serve(about, find) {
  if (process.argv.includes('--about')) {
    console.log(JSON.stringify({ offsets: 'utf-16', ...about }));
    return;
  }
  const answers = [];
  for (const line of fs.readFileSync(0, 'utf8').split('\n')) {
    if (!line) continue;
    const request = JSON.parse(line);
    answers.push(JSON.stringify({ id: request.id, urls: find(textOf(request), request) }));
  }
  fs.writeFileSync(1, answers.join('\n') + '\n');
}

module.exports = { serve, version };
