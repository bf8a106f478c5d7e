import { type FieldError, fieldErrorText, invalidValue, notSupportedValue, tooLong } from '../meta/field-error.ts';
import { badRequest, invalid } from '../meta/status-error.ts';
import type { FieldValidation } from '../registry/index.ts';
import type { RequestContext } from './request-context.ts';

const levels: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** `kind` names the options object in messages: CreateOptions, UpdateOptions or PatchOptions. */
export function writeOptions(
  context: RequestContext,
  kind: string,
): { dryRun: boolean; fieldValidation: FieldValidation } {
  if (context.exchange.query === '') return { dryRun: false, fieldValidation: 'Warn' };
  const dryRun = isDryRun(context.query.getAll('dryRun'), kind);
  const level = context.parameter('fieldValidation');
  const errors = fieldManagerErrors(context.parameter('fieldManager'));
  if (!levels.includes(level)) errors.push(notSupportedValue('fieldValidation', level, levels));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return { dryRun, fieldValidation: level === '' ? 'Warn' : (level as FieldValidation) };
}

/** An empty value means an ordinary request. */
export function isDryRun(values: readonly string[], kind: string): boolean {
  const given = values.filter((value) => value !== '');
  if (given.some((value) => value !== 'All')) {
    const error = notSupportedValue('dryRun', given, ['All']);
    throw badRequest(`${kind}.meta.k8s.io "" is invalid: ${fieldErrorText(error)}`);
  }
  return given.length > 0;
}

function fieldManagerErrors(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > 128) return [tooLong('fieldManager', 128)];
  const at = manager.search(unprintable);
  if (at < 0) return [];
  const code = manager.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0');
  return [invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${at})`)];
}
