import { parseArgs } from 'node:util';

export interface EtcdFlags {
  readonly clientUrls: readonly URL[];
  readonly dataDir: string;
}

const help: Readonly<Record<string, string>> = {
  'listen-client-urls': 'URLs of plain HTTP to answer on.',
  'advertise-client-urls': 'The same URLs.',
  'listen-peer-urls': 'Not listened on: there are no other members.',
  'initial-advertise-peer-urls': 'As --listen-peer-urls.',
  'initial-cluster': 'As --listen-peer-urls.',
  'listen-metrics-urls': 'As --listen-peer-urls: there are no metrics.',
  'data-dir': 'Directory in which the API server keeps its objects.',
  name: 'The name of the member.',
  'log-level': 'Nothing is logged.',
  'unsafe-no-fsync': 'Has no effect: writes are always durable.',
};

/** The output of `--help`, in which envtest looks for flags. */
export const etcdHelp = `This stands in for etcd in tests. It answers health checks and nothing else: the API server of this
folder keeps the objects itself, in the data directory.

${Object.entries(help)
  .map(([name, text]) => `  --${name}\n      ${text}\n`)
  .join('')}`;

/** Throws a RangeError for flags that cannot be understood. */
export function parseEtcdFlags(args: readonly string[]): EtcdFlags {
  const options = Object.fromEntries(Object.keys(help).map((name) => [name, { type: 'string' as const }]));
  const given = args.map((arg) => (arg === '--unsafe-no-fsync' ? `${arg}=true` : arg));
  const values = parsed(() => parseArgs({ args: given, options }).values);
  const dataDir = values['data-dir'] ?? 'default.etcd';
  const texts = (values['listen-client-urls'] ?? 'http://127.0.0.1:2379').split(',');
  return { dataDir, clientUrls: texts.map(clientUrl) };
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new RangeError((error as Error).message.split('. ')[0], { cause: error });
  }
}

function clientUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && url.port !== '') return url;
  throw new RangeError(`--listen-client-urls must have URLs such as http://127.0.0.1:2379: ${text}`);
}
