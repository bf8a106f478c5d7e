import { CelError } from '../cel-error.ts';
import { type CelType, fieldTypeOf, isDynamic, typeName } from '../checker/cel-type.ts';
import { wellKnownMessages } from '../library/well-known-messages.ts';
import type { Expression, StructExpression } from '../parser/expression.ts';
import { notOptional } from './collections.ts';
import type { Run } from './frame.ts';
import { MessageValue, Optional, typeNameOf } from './values.ts';

/** The cost of constructing an object, without that of its fields. */
const messageCost = 40;

/** Compiles the construction of an object. */
export function planMessage({ name, fields, type }: StructExpression, plan: (value: Expression) => Run): Run {
  const known = wellKnownMessages.get(name.replace(/^\./, ''));
  const message = known?.message ?? type;
  if (message?.kind !== 'object') throw new CelError('unsupported expression: struct', 'compile');
  const runs = fields.map(({ name, value, optional }) => ({
    name,
    optional,
    run: plan(value),
    type: fieldTypeOf(message, name)!,
  }));
  return (frame) => {
    const values = new Map<string, unknown>();
    for (const { name, run, optional, type } of runs) {
      let value = run(frame);
      if (optional) {
        if (!(value instanceof Optional)) throw notOptional(`entry '${name}'`, value);
        if (value.value === undefined) continue;
        value = value.value;
      }
      if (!isOfType(value, type)) {
        throw new CelError(`unexpected type ${typeNameOf(value)} for ${message.name} '${name}' field`);
      }
      values.set(name, value);
    }
    frame.charge(messageCost);
    return known === undefined ? new MessageValue(message.name, values) : known.construct(values);
  };
}

/** A value whose type is only known at run time may have another one than its field. */
function isOfType(value: unknown, type: CelType): boolean {
  return isDynamic(type) || typeNameOf(value) === typeName(type);
}
