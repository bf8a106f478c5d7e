#!/usr/bin/env node
// Checks the runtime before anything that needs it is loaded: the native part of the store would crash in an older one.
if (Number(process.versions.napi) < 10) {
  console.error(`keelson needs Node.js 22.14 or newer; this is ${process.version}.`);
  process.exit(1);
}
await import('../dist/cli.js');
