/**
 * Runs a script with the pinned Node.js: `node tools/pinned-node/run.cjs SCRIPT [ARGUMENTS]`. With npm 11, `node` is that
 * one already. npm 10 removes its link from `node_modules/.bin` together with the packages for other platforms.
 */
const { spawn } = require('node:child_process');
const { realpathSync } = require('node:fs');
const { constants } = require('node:os');
const { delimiter, dirname, join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { optionalDependencies } = require('./package.json');

const [script, ...args] = process.argv.slice(2);
const pinned = pinnedNode();
if (pinned === undefined || pinned === realpathSync(process.execPath)) {
  process.argv.splice(1, 2, resolve(script));
  import(pathToFileURL(script).href);
} else runWith(pinned);

/** Undefined on platforms that have no package. They use the Node.js of the machine. */
function pinnedNode() {
  for (const name of Object.keys(optionalDependencies)) {
    try {
      const manifest = require.resolve(`${name}/package.json`);
      return realpathSync(join(dirname(manifest), require(manifest).bin.node));
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

function runWith(node) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const child = spawn(node, [script, ...args], { stdio: 'inherit', env });
  // Ctrl-C reaches the child as well, which decides when to end.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
