'use strict';
// One game of Dodg'em with N watching sockets, and a move of it every so often until the input ends.
//   node watchers.js --n 5000 --think 1000 --port 8002
// It says "ready" once all watch. The time of a move runs from sending it to the last watcher's frame of it.
const crypto = require('crypto');
const WebSocket = require('ws');
const { post } = require('./api.js');

const ask = { n: 5000, think: 1000, port: 8002 };
for (let i = 2; i < process.argv.length; i += 2) ask[process.argv[i].slice(2)] = Number(process.argv[i + 1]);
const AT_ONCE = 50; // watchers that connect at a time

const open = (bearer) => {
  const headers = bearer ? { Authorization: `Bearer ${bearer}` } : {};
  const socket = new WebSocket(`ws://127.0.0.1:${ask.port}/ws`, { headers, perMessageDeflate: false, skipUTF8Validation: true });
  socket.on('error', (wrong) => { console.error(String(wrong)); process.exit(1); });
  return new Promise((done) => socket.on('open', () => done(socket)));
};
const say = (socket, message) => socket.send(JSON.stringify(message));

async function main() {
  const made = await post(ask.port, '/api/matches', { game: 'dodgem', seats: { red: 'me', green: 'open' }, open: true });
  const joined = await post(ask.port, `/api/join/${made.table.code}`, {});
  const match = made.match;
  let ply = joined.table.ply, sent = 0, seen = 0, pending = false, ended = false;
  const firsts = [], lasts = [];

  const watcher = async () => {
    const socket = await open();
    return new Promise((done) => {
      let first = true;
      socket.on('message', (frame) => {
        if (first) { first = false; done(); }
        if (!pending || !frame.subarray(0, 80).includes(`"ply":${ply},`) || !frame.subarray(0, 20).includes('changes')) return;
        seen++;
        if (seen === 1) firsts.push(performance.now() - sent);
        if (seen === ask.n) { lasts.push(performance.now() - sent); pending = false; }
      });
      say(socket, { is: 'watch', match, ply: -1 });
    });
  };
  for (let k = 0; k < ask.n; k += AT_ONCE) await Promise.all(Array.from({ length: Math.min(AT_ONCE, ask.n - k) }, watcher));

  const players = await Promise.all([made.token, joined.token].map(open));
  let turn = null;
  for (const socket of players) {
    socket.on('message', (frame) => {
      const told = JSON.parse(frame);
      if (told.is === 'state' && told.legal.length) turn = { socket, ply: told.ply, legal: told.legal };
    });
    say(socket, { is: 'watch', match, ply: -1, drawn: false });
  }
  const move = () => {
    if (ended || pending || !turn) return;
    [pending, seen, sent, ply] = [true, 0, performance.now(), turn.ply + 1];
    const token = turn.legal[Math.floor(Math.random() * turn.legal.length)];
    say(turn.socket, { is: 'act', match, ply: turn.ply, move: crypto.randomBytes(9).toString('hex'), token });
    turn = null;
  };
  setInterval(move, ask.think);
  console.log('ready');
  process.stdin.resume();
  process.stdin.on('end', () => {
    ended = true;
    const middle = (times) => Number(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]?.toFixed(1));
    console.log(JSON.stringify({ watchers: ask.n, moves: lasts.length, first_ms: middle(firsts), last_ms: middle(lasts),
      worst_ms: Number(lasts[lasts.length - 1]?.toFixed(1)) }));
    process.exit(0);
  });
}

main();
