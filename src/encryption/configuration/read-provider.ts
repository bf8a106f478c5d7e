import { createSecretKey } from 'node:crypto';
import type { CollectedFindings, ConfigurationFields } from '../../codec/configuration/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { formatDuration, parseDuration } from '../../meta/duration.ts';
import { invalidValue, requiredValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { EncryptionKey, KmsConfiguration, ProviderConfiguration } from './encryption-configuration.ts';

export type EncryptionFields = ConfigurationFields<CollectedFindings>;

const providerTypes = ['kms', 'aesgcm', 'aescbc', 'secretbox', 'identity'] as const;
/** The sizes of keys in bytes. */
const keySizes = { aesgcm: [16, 24, 32], aescbc: [16, 24, 32], secretbox: [32] };
const standardBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const hidden = 'REDACTED';
const defaultTimeout = 3_000_000_000n;

/** Returns undefined after a problem, which has been reported. `kmsNames` are the names of all earlier providers. */
export function readProvider(fields: EncryptionFields, kmsNames: Set<string>): ProviderConfiguration | undefined {
  const present = providerTypes.filter((type) => fields.has(type));
  const [type] = present;
  if (type === undefined) {
    const problem = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';
    fields.findings.add(invalidValue(fields.path(), {}, problem));
    return undefined;
  }
  if (present.length > 1) {
    const problem = 'more than one provider specified in a single element, should split into different list elements';
    fields.findings.add(invalidValue(fields.path(), present, problem));
  }
  // The other providers are read only to report their unknown fields.
  const [provider] = present.map((each) => readConfiguration(fields.object(each), each, kmsNames));
  return provider;
}

function readConfiguration(
  fields: EncryptionFields,
  type: (typeof providerTypes)[number],
  kmsNames: Set<string>,
): ProviderConfiguration | undefined {
  if (type === 'identity') return { type };
  if (type === 'kms') return readKms(fields, kmsNames);
  return { type, keys: readKeys(fields, keySizes[type]) };
}

function readKeys(fields: EncryptionFields, sizes: readonly number[]): EncryptionKey[] {
  const items = fields.objects('keys');
  if (items.length === 0) fields.findings.add(requiredValue(fields.path('keys'), 'at least one keys is required'));
  return items.map((item) => readKey(item, sizes)).filter((key) => key !== undefined);
}

function readKey(fields: EncryptionFields, sizes: readonly number[]): EncryptionKey | undefined {
  const name = fields.text('name');
  const text = fields.text('secret').replace(/[\r\n]/g, '');
  const at = fields.path('secret');
  if (name === '') fields.findings.add(requiredValue(fields.path('name'), 'name is a mandatory field for a key'));
  if (text === '') {
    fields.findings.add(requiredValue(at, 'secret is a mandatory field for a key'));
    return undefined;
  }
  if (!standardBase64.test(text)) {
    fields.findings.add(invalidValue(at, hidden, 'secrets must be base64 encoded'));
    return undefined;
  }
  const secret = Buffer.from(text, 'base64');
  if (!sizes.includes(secret.length)) {
    const problem = `secret is not of the expected length, got ${secret.length}, expected one of [${sizes.join(' ')}]`;
    fields.findings.add(invalidValue(at, hidden, problem));
    return undefined;
  }
  return { name, secret: createSecretKey(secret) };
}

function readKms(fields: EncryptionFields, names: Set<string>): KmsConfiguration {
  const name = fields.text('name');
  checkName(fields, name, names);
  names.add(name);
  const timeoutMs = readTimeout(fields);
  const socket = readEndpoint(fields);
  checkVersion(fields);
  return { type: 'kms', name, socket, timeoutMs };
}

function checkName(fields: EncryptionFields, name: string, names: ReadonlySet<string>): void {
  const at = fields.path('name');
  if (name === '') fields.findings.add(requiredValue(at, 'name is a mandatory field for a provider'));
  if (name.includes(':')) {
    fields.findings.add(invalidValue(at, name, `invalid KMS provider name ${name}, must not contain ':'`));
  }
  if (names.has(name)) {
    fields.findings.add(invalidValue(at, name, `duplicate KMS provider name ${name}, names must be unique`));
  }
}

function readTimeout(fields: EncryptionFields): number {
  const text = fields.optionalText('timeout');
  const at = fields.path('timeout');
  let timeout = defaultTimeout;
  try {
    if (text !== undefined) timeout = parseDuration(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    fields.findings.add(invalidValue(at, text, error.message));
  }
  if (timeout <= 0n) {
    fields.findings.add(invalidValue(at, formatDuration(timeout), 'timeout should be a positive value'));
  }
  return Number(timeout) / 1e6;
}

function readEndpoint(fields: EncryptionFields): string {
  const endpoint = fields.text('endpoint');
  const at = fields.path('endpoint');
  const refuse = (problem: string): string => {
    fields.findings.add(invalidValue(at, endpoint, problem));
    return '';
  };
  if (endpoint === '') return refuse('endpoint is a mandatory field for a kms');
  const url = URL.parse(endpoint);
  const scheme = url?.protocol.slice(0, -1) ?? '';
  if (url === null || scheme !== 'unix') {
    return refuse(`unsupported scheme ${goQuote(scheme)} for KMS provider, only unix is supported`);
  }
  const path = decodedPath(url);
  if (path === undefined) return refuse('invalid endpoint for kms provider, error: it has no path of a socket');
  // A path that begins with `/@` is the name of an abstract socket.
  return path.startsWith('/@') ? path.slice(1) : path;
}

function decodedPath({ pathname }: URL): string | undefined {
  try {
    const path = decodeURIComponent(pathname);
    return path.length > 1 && !path.includes('\0') ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A provider without a version is one of version 1, which kube-apiserver also rejects, unless a feature gate is set.
 */
function checkVersion(fields: EncryptionFields): void {
  const version = fields.optionalText('apiVersion') ?? 'v1';
  const at = fields.path('apiVersion');
  const cacheSize = fields.integer('cachesize');
  if (version !== 'v1' && cacheSize !== undefined) {
    fields.findings.add(invalidValue(fields.path('cachesize'), cacheSize, 'cachesize is not supported in v2'));
  }
  if (version === 'v1') {
    fields.findings.add(invalidValue(at, version, 'KMSv1 is deprecated and not supported. Use KMSv2 instead'));
  } else if (version !== 'v2') {
    const problem = `unsupported apiVersion ${version} for KMS provider, only v2 is supported`;
    fields.findings.add(invalidValue(at, version, problem));
  }
}
