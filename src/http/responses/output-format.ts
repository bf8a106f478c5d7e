import type { Choice, Negotiator } from '../../codec/negotiation.ts';
import { isPrettyRequested, isPrettyValue } from '../../codec/pretty.ts';
import { apiVersionOf } from '../../meta/group-version.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { ObjectOffer } from '../object-formats.ts';
import { notBoolean } from '../query-values.ts';
import { MetadataRepresentation } from '../representations/metadata-representation.ts';
import type { Representation } from '../representations/representation.ts';
import { includeObjectOf, TableRepresentation } from '../representations/table-representation.ts';
import type { RequestContext } from '../request-context.ts';
import type { ObjectEncoding, ObjectType } from './object-encoding.ts';

/** The type of the objects in a response. */
export interface ServedType {
  readonly type: ObjectType;
  readonly columns: () => TableColumns;
  /** False for types that are only created and never stored, such as reviews and evictions: they have no Table form. */
  readonly hasRows: boolean;
}

/** The encoding and representation that the client negotiated for a response. */
export interface OutputFormat {
  readonly encoding: ObjectEncoding;
  /** The media type of the response, as spelled in the request. */
  readonly mediaType: string;
  readonly streamType: string;
  /** The type of the objects. */
  readonly type: ObjectType;
  /** Undefined when the objects are sent unconverted. */
  readonly representation: Representation | undefined;
  /** Whether JSON is indented. */
  readonly pretty: boolean;
}

/** Negotiates the output format of a request. Throws a 406 or a 400 when the requested format is not available. */
export function outputFormat(
  context: RequestContext,
  servedType: ServedType,
  negotiator: Negotiator<ObjectOffer>,
): OutputFormat {
  const { exchange } = context;
  const choice = negotiator.choose(exchange.header('accept'));
  checkPretty(context);
  const { encoding, mediaType, streamType } = choice.offer;
  const prettyRequest = { query: exchange.query, userAgent: exchange.header('user-agent'), accepted: choice.pretty };
  return {
    encoding,
    mediaType,
    streamType,
    type: servedType.type,
    representation: representationOf(choice, context, servedType),
    pretty: encoding.name === 'json' && isPrettyRequested(prettyRequest),
  };
}

function checkPretty(context: RequestContext): void {
  if (!context.exchange.query.includes('pretty')) return;
  const text = context.parameter('pretty');
  if (context.compatibility.strictBooleans && !isPrettyValue(text)) throw notBoolean('pretty', text);
}

function representationOf(
  { offer: { target } }: Choice<ObjectOffer>,
  context: RequestContext,
  { type, columns }: ServedType,
): Representation | undefined {
  if (target === undefined) return undefined;
  const apiVersion = apiVersionOf(target);
  if (target.kind !== 'Table') {
    const listsOnly = target.kind === 'PartialObjectMetadataList';
    const objectsOnly = !listsOnly && !context.compatibility.metadataOfLists;
    const { hiddenAnnotations } = columns();
    return new MetadataRepresentation({ apiVersion, type, listsOnly, objectsOnly, hiddenAnnotations });
  }
  const includeObject = includeObjectOf(context.parameter('includeObject'));
  return new TableRepresentation({ apiVersion, columns: columns(), includeObject });
}
