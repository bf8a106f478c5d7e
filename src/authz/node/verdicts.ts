import type { Decision } from '../authorizer.ts';

export const allowed: Decision = { decision: 'allow', reason: '' };

/** Another authorizer may still allow it. */
export function refused(reason: string): Decision {
  return { decision: 'no-opinion', reason };
}
