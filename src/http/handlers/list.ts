import { badRequest } from '../../meta/status-error.ts';
import type { Verbs } from '../../registry/index.ts';
import { answerForm, type Shown } from '../answers/answer-form.ts';
import { writeList } from '../answers/list-writer.ts';
import type { RequestContext } from '../request-context.ts';
import { flag, type ResourceTarget } from '../request-info.ts';

export function handleList(
  context: RequestContext,
  target: ResourceTarget,
  { list, shown }: { list: NonNullable<Verbs['list']>; shown: Shown },
): void | Promise<void> {
  const { exchange } = context;
  const form = answerForm(context, shown, context.forms.lists);
  const result = list({ namespace: target.namespace, ...listParameters(context) });
  if (result instanceof Promise) return result.then((page) => writeList(exchange, page, form));
  return writeList(exchange, result, form);
}

export function listParameters(context: RequestContext) {
  // Means nothing here, but has to be a number all the same.
  integerParameter(context, 'timeoutSeconds');
  return {
    labelSelector: context.parameter('labelSelector'),
    fieldSelector: context.parameter('fieldSelector'),
    resourceVersion: context.parameter('resourceVersion'),
    resourceVersionMatch: context.parameter('resourceVersionMatch'),
    limit: Math.max(0, integerParameter(context, 'limit') ?? 0),
    continueToken: context.parameter('continue'),
    sendInitialEvents: context.exchange.query === '' ? undefined : flag(context.query, 'sendInitialEvents'),
  };
}

export function integerParameter(context: RequestContext, name: string): number | undefined {
  if (context.exchange.query === '') return undefined;
  const text = context.query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?[0-9]+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  if (value > 2 ** 63 - 1) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return value;
}
