#!/usr/bin/env node
// Checks the runtime before anything that needs it is loaded: an old Node would fail inside a native module instead.
const major = Number(process.versions.node.split('.')[0]);
if (major < 22) {
  console.error(`keelson needs Node.js 22 or newer; this is ${process.version}.`);
  process.exit(1);
}
await import('../dist/cli.js');
