import { CelError } from '../cel-error.ts';
import {
  anyType,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  type ObjectType,
  objectType,
  stringType,
  timestampType,
  wrapperType,
} from '../checker/cel-type.ts';
import { checkedDuration, checkedTimestamp } from '../evaluate/texts.ts';
import { EntryMap, ListValue, MessageValue, Uint } from '../evaluate/values.ts';

/** A message of protobuf that all expressions may construct. Most of them are other values then. */
interface WellKnownMessage {
  /** The type of the constructed value. */
  readonly type: CelType;
  readonly message: ObjectType;
  /** The value of a message with these fields. */
  construct(fields: ReadonlyMap<string, unknown>): unknown;
}

type Fields = ReadonlyMap<string, unknown>;
type Definition = readonly [name: string, message: WellKnownMessage];

const billion = 1_000_000_000n;
const jsonObjectType = mapType(stringType, dynType);
const jsonListType = listType(dynType);

function define(
  name: string,
  fields: Readonly<Record<string, CelType>>,
  { type, construct }: Partial<WellKnownMessage> & Pick<WellKnownMessage, 'construct'>,
): Definition {
  const message = objectType(`google.protobuf.${name}`, fields);
  return [message.name, { type: type ?? message, message, construct }];
}

/** `convert` also checks the range of the value. */
function wrapper<T>(
  name: string,
  kind: Parameters<typeof wrapperType>[0],
  { initial, convert = (value) => value }: { readonly initial: T; convert?(value: T): T },
): Definition {
  return define(
    name,
    { value: { kind } },
    { type: wrapperType(kind), construct: (fields) => convert((fields.get('value') ?? initial) as T) },
  );
}

function int32(value: bigint): bigint {
  if (BigInt.asIntN(32, value) !== value) throw new CelError('integer overflow');
  return value;
}

function uint32(uint: Uint): Uint {
  if (uint.value >= 2n ** 32n) throw new CelError('unsigned integer overflow');
  return uint;
}

function nanosecondsOf(fields: Fields): bigint {
  const [seconds = 0n, nanos = 0n] = [fields.get('seconds'), fields.get('nanos')] as (bigint | undefined)[];
  return seconds * billion + int32(nanos);
}

const time = { seconds: intType, nanos: intType };
const zero = new Uint(0n);

/** By name. */
export const wellKnownMessages: ReadonlyMap<string, WellKnownMessage> = new Map<string, WellKnownMessage>([
  wrapper('BoolValue', 'bool', { initial: false }),
  wrapper('BytesValue', 'bytes', { initial: new Uint8Array() }),
  wrapper('DoubleValue', 'double', { initial: 0 }),
  wrapper('FloatValue', 'double', { initial: 0, convert: Math.fround }),
  wrapper('Int32Value', 'int', { initial: 0n, convert: int32 }),
  wrapper('Int64Value', 'int', { initial: 0n }),
  wrapper('StringValue', 'string', { initial: '' }),
  wrapper('UInt32Value', 'uint', { initial: zero, convert: uint32 }),
  wrapper('UInt64Value', 'uint', { initial: zero }),
  define('Timestamp', time, { type: timestampType, construct: (fields) => checkedTimestamp(nanosecondsOf(fields)) }),
  define('Duration', time, { type: durationType, construct: (fields) => checkedDuration(nanosecondsOf(fields)) }),
  define(
    'Struct',
    { fields: jsonObjectType },
    { type: jsonObjectType, construct: (fields) => fields.get('fields') ?? new EntryMap() },
  ),
  define(
    'ListValue',
    { values: jsonListType },
    { type: jsonListType, construct: (fields) => fields.get('values') ?? new ListValue([]) },
  ),
  define(
    'Value',
    {
      null_value: intType,
      number_value: doubleType,
      string_value: stringType,
      bool_value: boolType,
      struct_value: jsonObjectType,
      list_value: jsonListType,
    },
    { type: dynType, construct: lastOf },
  ),
  define('Empty', {}, { construct: (fields) => new MessageValue('google.protobuf.Empty', fields) }),
  define(
    'Any',
    { type_url: stringType, value: bytesType },
    {
      type: anyType,
      construct: () => {
        throw new CelError('conversion error');
      },
    },
  ),
]);

/** The values of the only enumeration of these messages, which are ints. */
export const wellKnownConstants: ReadonlyMap<string, bigint> = new Map([['google.protobuf.NullValue.NULL_VALUE', 0n]]);

/** A value has one field at a time: the one that was set last. */
function lastOf(fields: Fields): unknown {
  const [name, value] = [...fields].at(-1) ?? ['null_value'];
  return name === 'null_value' ? null : value;
}
