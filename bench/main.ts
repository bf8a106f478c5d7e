/**
 * `npm run bench`: starts the real server and a bare one in separate processes, loads both in turns from a third
 * process, and prints the cost of ours relative to the bare one.
 */
import { Bench } from './bench.ts';
import { type BenchOptions, parseBenchOptions, usage } from './bench-options.ts';
import { Cleanup } from './cleanup.ts';
import { renderJson, renderTable } from './report.ts';
import type { Measurement } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { soak } from './soak/soak.ts';

// Every start of Node.js would load these certificates, which costs 20 ms and 8 MB. The servers do not use them.
delete process.env.NODE_EXTRA_CA_CERTS;
const cleanup = new Cleanup();
let interrupted = false;
async function endEarly(exitCode: number): Promise<void> {
  interrupted = true;
  await cleanup.run();
  process.exit(exitCode);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void endEarly(130));
// When the reader of our output exits (`| head`), end the servers. The error cannot be reported.
for (const output of [process.stdout, process.stderr]) output.on('error', () => void endEarly(1));

try {
  await main(readOptions());
} catch (error) {
  // After a signal the current operation fails because its processes are being ended.
  if (!interrupted) console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await cleanup.run();
}

function readOptions(): BenchOptions {
  try {
    return parseBenchOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

async function main(options: BenchOptions): Promise<void> {
  if (options.soakMinutes !== undefined) {
    if (!(await soak(new Bench(options, cleanup), options.soakMinutes))) process.exitCode = 1;
    return;
  }
  const chosen = scenarios.filter(({ name }) => name.includes(options.only));
  if (options.list || chosen.length === 0) {
    console.log(scenarios.map(({ name }) => name).join('\n'));
    if (chosen.length === 0) throw new Error(`no scenario's name contains "${options.only}"`);
    return;
  }
  const bench = new Bench(options, cleanup);
  const measurements: Measurement[] = [];
  for (const scenario of chosen) {
    const startedAt = performance.now();
    const measured = await scenario.run(bench);
    measurements.push(...measured);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    bench.log([`${scenario.name}: ${seconds} s`, ...measured.map(summaryOf)].join(', '));
  }
  console.log(options.json ? renderJson(measurements) : renderTable(measurements));
}

/** Shown as soon as it is known, because a whole run takes long. */
function summaryOf({ name, ours, ratio = ours }: Measurement): string {
  return `${name} ${ratio.toFixed(2)}`;
}
