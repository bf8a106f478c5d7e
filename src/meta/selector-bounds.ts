import { badRequest, type StatusError } from './status-error.ts';

/** Every object of a list is tested by each of them. A set of values is one requirement. */
export const maxRequirements = 1_000;

export function tooManyRequirements(): StatusError {
  return badRequest(`a selector must not have more than ${maxRequirements} requirements`);
}
