#!/usr/bin/env node
// Checks the runtime before anything else is loaded: the native module of the store would crash in an older one.
if (Number(process.versions.napi) < 10) {
  console.error(`keelson needs Node.js 22.14 or newer; this is ${process.version}.`);
  process.exit(1);
}
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
// In the package directory, which only its installer can write. Later starts need not compile the packages again.
enableCompileCache(join(__dirname, '..', 'dist', '.compiled'));
require('../dist/cli.cjs');
