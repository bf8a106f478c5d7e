import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';
import { AdmissionExplanation } from '../admission-explanation.ts';
import type { Exchange } from '../exchange.ts';
import type { Filter } from '../pipeline.ts';

const writeVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

export interface ExplainAdmissionOptions {
  readonly mayReview: (user: UserInfo) => MaybePromise<boolean>;
  /** Otherwise only dry runs that request it are explained. */
  readonly explainsAll: boolean;
}

/**
 * Explains admission of writes to users who may review access. For an impersonated request, the impersonating user
 * needs the permission, except in a session.
 */
export function explainAdmission({ mayReview, explainsAll }: ExplainAdmissionOptions): Filter {
  return (context, next) => {
    const { exchange, info, reader } = context;
    if (info.target === undefined || !writeVerbs.has(info.verb)) return next(context);
    if (!explainsAll && !isDryRun(exchange)) return next(context);
    return mapMaybe(mayReview(reader), (isShown) => {
      context.explanation = new AdmissionExplanation(context, { isShown });
      return next(context);
    });
  };
}

function isDryRun(exchange: Exchange): boolean {
  return (
    exchange.header('keelson-explain-admission') === 'true' && new URLSearchParams(exchange.query).has('dryRun', 'All')
  );
}
