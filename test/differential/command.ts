import { parseArgs } from 'node:util';
import { type NetworkFetch, networkFetch, readKubeconfig } from '../../src/client/index.ts';
import { startServer } from '../../src/index.ts';
import { reportText } from './report.ts';
import { runDifferential } from './run.ts';
import { overHttp1 } from './servers.ts';

const usage = `Usage: npm run test:differential -- --peer KUBECONFIG [--peer KUBECONFIG] [flags]

Sends the same generated requests to two servers and reports the differences between their answers. With one peer, the
other server is one of this checkout, in memory, with --compatibility=kubernetes. The peers should have no other users.
Namespaces, custom types and objects of other types are created and deleted.

  --peer <kubeconfig>  a server and an administrator of it
  --seed <number>      selects the requests; a seed repeats a run (1)
  --cases <number>     the number of cases, which have about eight requests each (1000)
  --show <number>      the number of classes of differences with an example (10)

Exits with 0 when there are no differences, with 1 when there are, and with 2 when it cannot compare.
`;

/** Runs the command. Returns its exit code. */
export async function differentialCommand(args: readonly string[], print: (text: string) => void): Promise<number> {
  const options = parsed(args);
  if (options === undefined) {
    print(usage);
    return 2;
  }
  const opened: Opened[] = [];
  try {
    for (const path of options.peers) opened.push(openPeer(path));
    if (opened.length === 1) opened.unshift(await openOwn());
    const [first, second] = opened as [Opened, Opened];
    const outcome = await runDifferential({ peers: [first, second], seed: options.seed, cases: options.cases });
    print(`first: ${first.name}\nsecond: ${second.name}\n${reportText(outcome, options)}`);
    return outcome.classes.length === 0 ? 0 : 1;
  } catch (error) {
    print((error as Error).message);
    return 2;
  } finally {
    await Promise.all(opened.map(({ end }) => end()));
  }
}

interface CommandOptions {
  readonly peers: readonly string[];
  readonly seed: number;
  readonly cases: number;
  readonly show: number;
}

/** Undefined for arguments that have no meaning. */
function parsed(args: readonly string[]): CommandOptions | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        peer: { type: 'string', multiple: true, default: [] },
        seed: { type: 'string', default: '1' },
        cases: { type: 'string', default: '1000' },
        show: { type: 'string', default: '10' },
      },
    });
    const { peer: peers, seed, cases, show } = values;
    const areNumbers = [seed, cases, show].every((text) => /^\d+$/.test(text));
    if (peers.length < 1 || peers.length > 2 || !areNumbers) return undefined;
    return { peers, seed: Number(seed), cases: Number(cases), show: Number(show) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

interface Opened extends NetworkFetch {
  readonly name: string;
  end(): Promise<void>;
}

function openPeer(path: string): Opened {
  const connected = networkFetch(readKubeconfig(path));
  return { ...connected, name: path, end: async () => connected.close() };
}

async function openOwn(): Promise<Opened> {
  const server = await startServer({ storage: 'memory', controllers: [], compatibility: 'kubernetes' });
  const connected = overHttp1({ server });
  const end = async (): Promise<void> => {
    connected.close();
    await server.stop();
  };
  return { ...connected, name: 'the server of this checkout', end };
}
