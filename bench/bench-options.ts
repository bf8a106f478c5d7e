import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Print one JSON document to stdout instead of the table. */
  readonly json: boolean;
  readonly quick: boolean;
  /** Run only the scenarios whose name contains this. */
  readonly only: string;
  readonly list: boolean;
  /**
   * Loads one server for this number of minutes instead of running the benchmarks, and reports whether anything grows.
   */
  readonly soakMinutes: number | undefined;
  /** The command that starts the server under test, up to and including `serve`. */
  readonly serverCommand: readonly string[];
  /** Passed to the server as `--storage`. Undefined selects the server's default, the embedded durable store. */
  readonly storage: string | undefined;
  readonly rounds: number;
  readonly roundSeconds: number;
  /** Excluded from the result at the start of each round, because connections are new and caches are cold. */
  readonly rampSeconds: number;
  /** The length of a step of the warm-up. Steps are repeated until the cost of a request does not fall any more. */
  readonly warmUpSeconds: number;
  /** The maximum number of steps. */
  readonly warmUpSteps: number;
  /** How many times a process is started for the start-up and idle memory measurements. */
  readonly starts: number;
}

export const usage = `Usage: npm run bench -- [flags]

  --json                   print one JSON document (use "npm run --silent bench -- --json")
  --quick                  shorter and noisier: about two minutes instead of about ten
  --only <substring>       only scenarios whose name contains the text
  --list                   print the names of the scenarios and end
  --soak <minutes>         load one server for so long, and tell whether memory, files and pauses level off
  --storage <name>         the server's --storage; its default is the embedded durable store
  --server-command <text>  compare another build: the command up to "serve", split at spaces,
                           for example "node /path/to/other/bin/keelson.cjs serve"
`;

export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      list: { type: 'boolean', default: false },
      soak: { type: 'string' },
      storage: { type: 'string' },
      'server-command': { type: 'string' },
    },
  });
  const command = values['server-command']?.split(' ').filter((word) => word !== '');
  return {
    json: values.json,
    quick: values.quick,
    only: values.only,
    list: values.list,
    soakMinutes: minutesOf(values.soak),
    storage: values.storage,
    serverCommand: command ?? [process.execPath, 'bin/keelson.cjs', 'serve'],
    rounds: values.quick ? 3 : 5,
    roundSeconds: values.quick ? 0.2 : 1,
    rampSeconds: values.quick ? 0.05 : 0.1,
    warmUpSeconds: values.quick ? 0.25 : 1,
    warmUpSteps: values.quick ? 4 : 24,
    starts: values.quick ? 3 : 7,
  };
}

function minutesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const minutes = Number(text);
  if (!(minutes > 0 && minutes <= 7 * 24 * 60)) throw new Error('--soak needs a number of minutes');
  return minutes;
}
