import type { FieldShape, ScalarShape, Shape, StructShape } from './shape.ts';

const literalQuantity: ScalarShape = { type: 'scalar', atomic: true, kind: 'quantity', isLiteral: true };
const structs = new WeakMap<StructShape, StructShape>();

/**
 * Returns the shape in which quantities are compared by their text, as kube-apiserver does: `1000m` differs from `1`.
 * The same shape always has the same result.
 */
export function withLiteralQuantities(shape: StructShape): StructShape {
  let literal = structs.get(shape);
  if (literal === undefined) {
    literal = literalStruct(shape);
    structs.set(shape, literal);
  }
  return literal;
}

/** Computes the fields lazily, because types may be recursive. */
function literalStruct(shape: StructShape): StructShape {
  const { atomic, rest } = shape;
  let fields: ReadonlyMap<string, FieldShape> | undefined;
  return {
    type: 'struct',
    atomic,
    ...(rest && { rest: literalShape(rest) }),
    get fields() {
      fields ??= new Map(
        Array.from(shape.fields, ([name, field]) => [name, { ...field, shape: literalShape(field.shape) }]),
      );
      return fields;
    },
  };
}

function literalShape(shape: Shape): Shape {
  switch (shape.type) {
    case 'scalar':
      return shape.kind === 'quantity' ? literalQuantity : shape;
    case 'struct':
      return withLiteralQuantities(shape);
    case 'map':
      return { ...shape, values: literalShape(shape.values) };
    case 'list':
      return { ...shape, items: literalShape(shape.items) };
    default:
      return shape;
  }
}
