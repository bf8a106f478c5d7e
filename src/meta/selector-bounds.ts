import { badRequest, type StatusError } from './status-error.ts';

/**
 * Limits the work per object of a list, which is tested against each requirement. A set of values is one requirement.
 */
export const maxRequirements = 1_000;

export function tooManyRequirements(): StatusError {
  return badRequest(`a selector must not have more than ${maxRequirements} requirements`);
}
