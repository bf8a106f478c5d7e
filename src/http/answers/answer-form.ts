import type { Choice, Negotiator } from '../../codec/negotiation.ts';
import { isPrettyValue, wantsPretty } from '../../codec/pretty.ts';
import { apiVersionOf, type GroupKind } from '../../meta/group-version.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { ObjectOffer } from '../object-forms.ts';
import { notBoolean } from '../query-values.ts';
import { MetadataRepresentation } from '../representations/metadata-representation.ts';
import type { Representation } from '../representations/representation.ts';
import { includeObjectOf, TableRepresentation } from '../representations/table-representation.ts';
import type { RequestContext } from '../request-context.ts';
import type { ObjectEncoding, ObjectType } from './object-encoding.ts';

/** The type of the objects in an answer, and where to learn what they look like in a Table. */
export interface Shown {
  readonly type: ObjectType;
  readonly columnsOf: (type: GroupKind) => TableColumns;
  /** False for what is only asked, and never kept: a review is no row of any Table. */
  readonly hasRows: boolean;
}

/** What a client wants of the answer. */
export interface AnswerForm {
  readonly encoding: ObjectEncoding;
  /** Of the answer: the name by which the client asked for it. */
  readonly mediaType: string;
  readonly streamType: string;
  /** Of the objects. */
  readonly type: ObjectType;
  /** Undefined for the objects as they are. */
  readonly representation: Representation | undefined;
  /** JSON is indented. */
  readonly pretty: boolean;
}

/** Reads it from the request. Throws a 406 or a 400 for what cannot be had. */
export function answerForm(context: RequestContext, shown: Shown, among: Negotiator<ObjectOffer>): AnswerForm {
  const { exchange } = context;
  const choice = among.choose(exchange.header('accept'));
  checkPretty(context);
  const { encoding, mediaType, streamType } = choice.offer;
  const asked = { query: exchange.query, userAgent: exchange.header('user-agent'), accepted: choice.pretty };
  return {
    encoding,
    mediaType,
    streamType,
    type: shown.type,
    representation: representationOf(choice, context, shown),
    pretty: encoding.name === 'json' && wantsPretty(asked),
  };
}

function checkPretty(context: RequestContext): void {
  if (!context.exchange.query.includes('pretty')) return;
  const text = context.parameter('pretty');
  if (!isPrettyValue(text)) throw notBoolean('pretty', text);
}

function representationOf(
  { offer: { target } }: Choice<ObjectOffer>,
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
