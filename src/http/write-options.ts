import type { RequestOptions } from '../admission/index.ts';
import { type FieldError, invalidValue, notSupportedValue, tooLong } from '../meta/field-error.ts';
import { badOptions, invalid } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { FieldValidation, WriteOptions } from '../registry/index.ts';
import type { Exchange } from './exchange.ts';
import type { RequestContext } from './request-context.ts';

const levels: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];
const maxManagerLength = 128;
/** Few clients are expected. The limit protects against a client that sends many different names. */
const maxCachedNames = 64;
const clientNames = new Map<string, string>();
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

interface ParsedWriteOptions extends Required<Pick<WriteOptions, 'admissionContext'>> {
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  readonly fieldManager: string;
}

const noOptions: RequestOptions = {};

/**
 * Parses the query of a write. `kind` names the options object in messages: CreateOptions, UpdateOptions or
 * PatchOptions.
 */
export function writeOptions(context: RequestContext, kind: string): ParsedWriteOptions {
  const { exchange, knownUser: user } = context;
  if (exchange.query === '') {
    const admissionContext = context.admissionContext(noOptions);
    return { user, dryRun: false, fieldValidation: 'Warn', fieldManager: clientName(exchange), admissionContext };
  }
  const level = context.parameter('fieldValidation');
  const manager = context.parameter('fieldManager');
  const dryRuns = queriedDryRuns(context);
  const wrongDryRun = dryRunErrors(dryRuns);
  const errors = [...fieldManagerErrors(manager), ...wrongDryRun, ...levelErrors(level)];
  if (wrongDryRun.length > 0) throw badOptions('dryRunIsBadRequest', kind, errors);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  const dryRun = dryRuns.includes('All');
  const fieldValidation = level === '' ? 'Warn' : (level as FieldValidation);
  const admissionContext = context.admissionContext({
    ...(dryRun && { dryRun: ['All'] }),
    ...(manager !== '' && { fieldManager: manager }),
    ...(level !== '' && { fieldValidation: level }),
  });
  return { user, dryRun, fieldValidation, fieldManager: manager || clientName(exchange), admissionContext };
}

/** The default field manager: the program name of the user agent. */
function clientName(exchange: Exchange): string {
  const agent = exchange.header('user-agent') ?? '';
  let name = clientNames.get(agent);
  if (name === undefined) {
    name = programName(agent);
    if (clientNames.size >= maxCachedNames) clientNames.clear();
    clientNames.set(agent, name);
  }
  return name;
}

function programName(agent: string): string {
  const [program = ''] = agent.split('/', 1);
  const name = [...program].filter((character) => !unprintable.test(character)).join('');
  return (
    Buffer.from(name)
      .subarray(0, maxManagerLength)
      .toString()
      .replace(/\ufffd$/, '') || 'unknown'
  );
}

/** The values of the parameter in the query that have a meaning. */
export function queriedDryRuns({ query, compatibility }: RequestContext): string[] {
  const values = query.getAll('dryRun');
  return compatibility.emptyDryRun ? values.filter((value) => value !== '') : values;
}

export function isDryRun(values: readonly string[], kind: string): boolean {
  const errors = dryRunErrors(values);
  if (errors.length > 0) throw badOptions('dryRunIsBadRequest', kind, errors);
  return values.includes('All');
}

function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupportedValue('dryRun', values, ['All'])];
}

function levelErrors(level: string): FieldError[] {
  return levels.includes(level) ? [] : [notSupportedValue('fieldValidation', level, levels)];
}

function fieldManagerErrors(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > maxManagerLength) return [tooLong('fieldManager', maxManagerLength)];
  const at = manager.search(unprintable);
  if (at < 0) return [];
  const code = manager.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0');
  return [invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${at})`)];
}
