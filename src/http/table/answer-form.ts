import type { Choice, Negotiator, Offer } from '../../codec/negotiation.ts';
import { wantsPretty } from '../../codec/pretty.ts';
import { apiVersionOf, type GroupKind, type GroupVersion } from '../../meta/group-version.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { negotiator } from '../object-negotiation.ts';
import type { RequestContext } from '../request-context.ts';
import { MetadataRepresentation } from './metadata-representation.ts';
import type { Representation } from './representation.ts';
import { includeObjectOf, TableRepresentation } from './table-representation.ts';

/** The type of the objects in an answer, and where to learn what they look like in a Table. */
export interface Shown {
  readonly type: GroupKind & GroupVersion;
  readonly columnsOf: (type: GroupKind) => TableColumns;
}

/** What a client wants of the answer. */
export interface AnswerForm {
  /** Undefined for the objects as they are. */
  readonly representation: Representation | undefined;
  readonly pretty: boolean;
}

/** Reads it from the request. Throws a 406 or a 400 for what cannot be had. */
export function answerForm(context: RequestContext, shown: Shown, among: Negotiator<Offer> = negotiator): AnswerForm {
  const { exchange } = context;
  const choice = among.choose(exchange.header('accept'));
  return {
    representation: representationOf(choice, context, shown),
    pretty: wantsPretty({ query: exchange.query, userAgent: exchange.header('user-agent'), accepted: choice.pretty }),
  };
}

function representationOf(
  { offer: { target } }: Choice<Offer>,
  context: RequestContext,
  { type, columnsOf }: Shown,
): Representation | undefined {
  if (target === undefined) return undefined;
  const apiVersion = apiVersionOf(target);
  if (target.kind !== 'Table') {
    // On a list either of the two kinds means the same.
    return new MetadataRepresentation({ apiVersion, type, listsOnly: target.kind === 'PartialObjectMetadataList' });
  }
  const includeObject = includeObjectOf(context.parameter('includeObject'));
  return new TableRepresentation({ apiVersion, columns: columnsOf(type), includeObject });
}
