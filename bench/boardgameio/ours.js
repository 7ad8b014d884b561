'use strict';
// The load of load.js, on this project's server: N matches, two random clients each, every frame drawn.
//   node ours.js --n 100 --seconds 12 --think 0 --port 8002 --pid SERVER_PID
// A move counts when both clients were shown the position after it; its latency runs from sending to the later.
const fs = require('fs');
const crypto = require('crypto');
const WebSocket = require('ws');
const { post } = require('./api.js');
const { initial, legal } = require('./dodgem.js');

const ask = { n: 100, seconds: 12, think: 0, port: 8002, pid: 0, warm: 3 }; // warm: seconds after all matches were opened
for (let i = 2; i < process.argv.length; i += 2) ask[process.argv[i].slice(2)] = Number(process.argv[i + 1]);

const SIZE = 6;
const latencies = [], lines = [];
let measuring = false, stopped = false, errors = 0, conflicts = 0, open = 0;

const square = (s) => String.fromCharCode(97 + (s % SIZE)) + (Math.floor(s / SIZE) + 1);
const token = ([from, to]) => `${square(from)}-${to < 0 ? 'off' : square(to)}`;

class Match {
  async begin() {
    try {
      // As in boardgame.io: nobody has to move twice, a blocked player passes by one forced token.
      const made = await post(ask.port, '/api/matches', { game: 'dodgem', seats: { red: 'me', green: 'open' } }, this.tokens?.[0]);
      const joined = await post(ask.port, `/api/join/${made.table.code}`, {}, this.tokens?.[1]);
      this.tokens ??= [made.token, joined.token];
      this.id = made.match;
      this.cells = initial();
      this.turn = 0;
      this.ply = joined.table.ply;
      this.pending = null;
      if (!this.sockets) await this.connect();
      for (const socket of this.sockets) socket.send(JSON.stringify({ is: 'watch', match: this.id, ply: this.ply }));
      setTimeout(() => this.next(), 5);
    } catch (wrong) { errors++; console.error(String(wrong)); }
  }
  connect() {
    this.sockets = this.tokens.map((bearer, player) => {
      const headers = { Authorization: `Bearer ${bearer}` };
      const socket = new WebSocket(`ws://127.0.0.1:${ask.port}/ws`, { headers });
      lines.push(socket);
      socket.on('message', (frame) => this.heard(player, frame));
      socket.on('error', () => errors++);
      return socket;
    });
    return Promise.all(this.sockets.map((socket) => new Promise((done) => socket.on('open', () => { open++; done(); }))));
  }
  next() {
    if (stopped) return;
    const move = () => {
      if (stopped) return;
      const moves = legal(this.cells, this.turn);
      const chosen = moves[Math.floor(Math.random() * moves.length)];
      this.pending = { sent: performance.now(), ply: this.ply, chosen, got: [0, 0] };
      this.sockets[this.turn].send(JSON.stringify({ is: 'act', match: this.id, ply: this.ply,
        move: crypto.randomBytes(9).toString('hex'), token: chosen ? token(chosen) : 'pass' }));
    };
    if (ask.think) setTimeout(move, ask.think * (0.5 + Math.random()));
    else move();
  }
  heard(player, frame) {
    const message = JSON.parse(frame);
    if (message.is === 'refusal') { errors++; console.error(String(frame).slice(0, 300)); }
    if (message.is === 'conflict') conflicts++;
    if (message.is !== 'changes' || message.match !== this.id) return;
    const p = this.pending;
    if (!p || message.ply <= p.ply || p.got[player]) return;
    if (!Object.keys(message.html || {}).some((part) => /^(p-|board-)/.test(part))) errors++;
    p.got[player] = performance.now();
    if (!p.got[0] || !p.got[1]) return;
    if (measuring) latencies.push(Math.max(...p.got) - p.sent);
    this.pending = null;
    if (p.chosen) {
      const [from, to] = p.chosen;
      if (to >= 0) this.cells[to] = this.cells[from];
      this.cells[from] = '.';
    }
    this.turn = 1 - this.turn;
    this.ply = message.ply;
    if (message.over) this.begin();
    else this.next();
  }
}

function server() {
  try {
    const stat = fs.readFileSync(`/proc/${ask.pid}/stat`, 'utf8');
    const field = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const rss = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${ask.pid}/status`, 'utf8'))[1];
    return { cpu: (Number(field[11]) + Number(field[12])) / 100, rss: Math.round(rss / 1024) };
  } catch { return { cpu: NaN, rss: NaN }; }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function main() {
  const begun = [];
  for (let k = 0; k < ask.n; k++) {
    begun.push(new Match().begin());
    await pause(8);
  }
  await Promise.all(begun);
  await pause(ask.warm * 1000);
  const bytes = () => lines.reduce((sum, { _socket }) => sum + _socket.bytesRead, 0); // as sent: compressed
  const before = server(), bytesBefore = bytes(), start = performance.now();
  measuring = true;
  await pause(ask.seconds * 1000);
  const seconds = (performance.now() - start) / 1000, after = server(), read = bytes() - bytesBefore;
  stopped = true;
  latencies.sort((a, b) => a - b);
  const at = (q) => Number(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))]?.toFixed(2));
  console.log(JSON.stringify({ matches: ask.n, think_ms: ask.think, moves: latencies.length,
    moves_per_s: Math.round(latencies.length / seconds), p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99),
    server_cpu_ms_per_move: Number(((after.cpu - before.cpu) * 1000 / latencies.length).toFixed(3)),
    server_rss_mb: after.rss, kb_per_move: Number((read / latencies.length / 1024).toFixed(2)), sockets: open, conflicts, errors }));
  process.exit(0);
}

main();
