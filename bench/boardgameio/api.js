'use strict';
// Calls of this project's API, over connections that stay open.
const http = require('http');

const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });

function post(port, path, body, bearer) {
  return new Promise((done, fail) => {
    const headers = { 'Content-Type': 'application/json' };
    if (bearer) headers.Authorization = `Bearer ${bearer}`;
    const request = http.request({ port, host: '127.0.0.1', path, method: 'POST', headers, agent }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += part));
      answer.on('end', () => (answer.statusCode < 300 ? done(JSON.parse(text)) : fail(new Error(text.slice(0, 300)))));
    });
    request.on('error', fail);
    request.end(JSON.stringify(body));
  });
}

module.exports = { post };
