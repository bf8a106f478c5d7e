#!/usr/bin/env node
// Checks the runtime before anything that needs it is loaded: the native part of the store would crash in an older one.
if (Number(process.versions.napi) < 10) {
  console.error(`keelson needs Node.js 22.14 or newer; this is ${process.version}.`);
  process.exit(1);
}
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
// Beside the program, where only who installed it can write: the next start need not compile it again.
enableCompileCache(fileURLToPath(new URL('../dist/.compiled', import.meta.url)));
await import('../dist/cli.js');
