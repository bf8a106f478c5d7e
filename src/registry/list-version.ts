import { type FieldError, forbiddenValue, notSupportedValue } from '../meta/field-error.ts';
import { isVersionZero, parseResourceVersionOption, type StatedRevision } from '../meta/resource-version.ts';
import { badOptions, badRequest } from '../meta/status-error.ts';
import { type ContinuePosition, decodeContinue } from './continue-token.ts';
import type { ListRequest, WatchRequest } from './resource.ts';

/** The state that a list shows. */
export type ListVersion =
  | { readonly mode: 'latest' }
  /** Revision 0 is any state. */
  | { readonly mode: 'notOlderThan'; readonly revision: StatedRevision }
  | { readonly mode: 'exact'; readonly revision: StatedRevision }
  | { readonly mode: 'continue'; readonly position: ContinuePosition };

type ListVersionRequest = Pick<
  ListRequest,
  'resourceVersion' | 'resourceVersionMatch' | 'limit' | 'continueToken' | 'sendInitialEvents'
>;

/** Interprets resourceVersion, resourceVersionMatch, limit and continue. Rejects invalid combinations. */
export function listVersion(request: ListVersionRequest): ListVersion {
  const { resourceVersion, resourceVersionMatch: match, limit, continueToken } = request;
  checkMatch(request);
  if (continueToken !== '') {
    if (resourceVersion !== '' && !isVersionZero(resourceVersion)) {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return { mode: 'continue', position: decodeContinue(continueToken) };
  }
  if (resourceVersion === '') return { mode: 'latest' };
  const revision = parseResourceVersionOption(resourceVersion, 'list');
  if (revision !== 0 && (match === 'Exact' || (match === '' && limit > 0))) return { mode: 'exact', revision };
  return { mode: 'notOlderThan', revision };
}

function checkMatch(request: ListVersionRequest): void {
  const { resourceVersion, resourceVersionMatch: match, continueToken, sendInitialEvents } = request;
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (match !== '' && resourceVersion === '') {
    errors.push(forbiddenValue(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (match !== '' && continueToken !== '') {
    errors.push(forbiddenValue(field, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== '' && match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(notSupportedValue(field, match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && isVersionZero(resourceVersion)) {
    errors.push(forbiddenValue(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbiddenValue('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  refuse(errors);
}

/** The start of a watch. Undefined: the current state, then the changes. */
export interface WatchStart {
  readonly after: StatedRevision | undefined;
  readonly initialEvents: boolean;
  /** The minimum revision of the state; undefined: the latest one. */
  readonly atLeast: StatedRevision | undefined;
}

type WatchVersionRequest = Pick<
  WatchRequest,
  'resourceVersion' | 'resourceVersionMatch' | 'sendInitialEvents' | 'continueToken'
>;

export function watchStart(request: WatchVersionRequest): WatchStart {
  const { resourceVersion, resourceVersionMatch: match, sendInitialEvents, continueToken } = request;
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  const isPlain = match === '' && sendInitialEvents === undefined;
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbiddenValue(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '' && sendInitialEvents === undefined) {
    errors.push(
      forbiddenValue(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (match !== '' && match !== 'NotOlderThan') errors.push(notSupportedValue(field, match, ['NotOlderThan']));
  // A watch that begins with the current state has `NotOlderThan` semantics by default.
  const hasMatch = match !== '' || (isPlain && (resourceVersion === '' || isVersionZero(resourceVersion)));
  if (hasMatch && continueToken !== '') {
    errors.push(forbiddenValue(field, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  refuse(errors);
  const isUnset = resourceVersion === '';
  const revision = isUnset ? 0 : parseResourceVersionOption(resourceVersion, 'watch');
  const initialEvents = sendInitialEvents ?? revision === 0;
  const atLeast = isUnset ? undefined : revision;
  if (initialEvents) return { after: undefined, initialEvents, atLeast };
  return { after: revision === 0 ? undefined : revision, initialEvents, atLeast: isUnset ? undefined : 0 };
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw badOptions('listOptionsAreBadRequests', 'ListOptions', errors);
}
