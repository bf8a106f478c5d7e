/** A flag of `keelson serve`. */
export interface KnownFlag {
  readonly name: string;
  readonly kind?: 'switch' | 'list';
}

/** The command line of kube-apiserver in terms of `keelson serve`. */
export interface ApiServerFlags {
  /** Arguments with the same meaning for both programs. */
  readonly serveArgs: readonly string[];
  /** Undefined without the flag. */
  readonly certDir: string | undefined;
  readonly etcdServers: string | undefined;
}

/** Flags of kube-apiserver whose values here match the fixed behaviour of Keelson. Other values are refused. */
const settled: Readonly<Record<string, { readonly values: readonly string[]; readonly why: string }>> = {
  'insecure-port': { values: ['0'], why: 'there is no port without TLS' },
  'storage-backend': { values: ['', 'etcd3'], why: 'there is no other protocol to etcd' },
  'watch-cache': { values: ['true'], why: 'watches are always served from memory' },
  'logging-format': { values: ['json'], why: 'the log has lines of JSON' },
  'endpoint-reconciler-type': { values: ['lease'], why: 'servers always announce themselves by leases' },
  'enable-aggregator-routing': {
    values: ['false'],
    why: 'extension servers are reached by the address of their service',
  },
  'enable-garbage-collector': { values: ['true'], why: 'finalizers for the garbage collector are always handled' },
  logtostderr: { values: ['true'], why: 'the log is always written to stderr' },
  alsologtostderr: { values: ['true'], why: 'the log is always written to stderr' },
};

/** Flags that envtest and kind pass, or that are common, and that are not supported. */
const refused: Readonly<Record<string, string>> = {
  'insecure-bind-address': 'there is no port without TLS',
  'tls-sni-cert-key': 'there is one serving certificate',
  'cloud-provider': 'there is no cloud provider',
  'cloud-config': 'there is no cloud provider',
  'external-hostname': 'discovery shows the address that the client used or that --advertise-address gives',
  'egress-selector-config-file': 'there are no proxies for outgoing connections',
  'goaway-chance': 'connections are not moved to other servers at random',
};

const verbosityFlags = ['v', 'vmodule'];
/** From this verbosity on, kube-apiserver logs requests. */
const debugVerbosity = 4;

/** Throws a RangeError that names the flag which cannot be understood. */
export function apiServerFlags(args: readonly string[], known: readonly KnownFlag[]): ApiServerFlags {
  const byName = new Map(known.map((flag) => [flag.name, flag]));
  const isSwitch = (name: string): boolean =>
    byName.get(name)?.kind === 'switch' || ['true', 'false'].includes(settled[name]?.values[0] ?? '');
  const serveArgs: string[] = [];
  let certDir: string | undefined;
  let etcdServers: string | undefined;
  for (const { name, value } of givenFlags(args, isSwitch)) {
    if (name === 'cert-dir') certDir = value;
    else if (name === 'etcd-servers') etcdServers = value;
    else if (verbosityFlags.includes(name)) serveArgs.push(...verbosity(name, value));
    else if (Object.hasOwn(settled, name)) checkSettled(name, value);
    else if (Object.hasOwn(refused, name))
      throw new RangeError(`--${name} is not supported by Keelson: ${refused[name]}`);
    else if (byName.has(name)) serveArgs.push(`--${name}=${value}`);
    else throw new RangeError(`Keelson does not have the flag --${name} of kube-apiserver`);
  }
  return { serveArgs, certDir, etcdServers };
}

function* givenFlags(
  args: readonly string[],
  isSwitch: (name: string) => boolean,
): Generator<{ readonly name: string; readonly value: string }> {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    // kube-apiserver ignores empty arguments, and templates of envtest may produce them.
    if (arg === '') continue;
    const [, name, rest] = /^--?([^=-][^=]*)(=[\s\S]*)?$/.exec(arg) ?? [];
    if (name === undefined) throw new RangeError(`not a flag: ${arg}`);
    if (rest !== undefined) yield { name, value: rest.slice(1) };
    else if (isSwitch(name)) yield { name, value: 'true' };
    else {
      index++;
      if (index === args.length) throw new RangeError(`--${name} needs a value`);
      yield { name, value: args[index]! };
    }
  }
}

function verbosity(name: string, value: string): string[] {
  if (name !== 'v') throw new RangeError(`--${name} is not supported by Keelson: the log has one level, see --v`);
  if (!/^[0-9]+$/.test(value)) throw new RangeError(`--v must be a number: ${value}`);
  return [`--log-level=${Number(value) >= debugVerbosity ? 'debug' : 'info'}`];
}

function checkSettled(name: string, value: string): void {
  const { values, why } = settled[name]!;
  if (!values.includes(value)) throw new RangeError(`--${name}=${value} is not supported by Keelson: ${why}`);
}

/**
 * The help text in addition to the flags of `keelson serve`. It must not contain `--insecure-port`, because envtest
 * would then set that flag.
 */
export const apiServerFlagsHelp = `
  --cert-dir=DIR
      Folder with apiserver.crt and apiserver.key, if --tls-cert-file is not given.
  --etcd-servers=URL,..
      The etcd of this folder, whose data directory then holds the objects, or a real one.
  --v=N
      From ${debugVerbosity} on, requests are logged.
`;
