import fc from 'fast-check';
import { expect, it } from 'vitest';
import { field, int32, listOf, mapOf, string, struct } from '../builders.ts';
import type { StructSchema } from '../model.ts';
import { validateSchemaRules } from '../validate-schema-rules.ts';
import { compileKind, Findings } from './index.ts';

const Leaf: StructSchema = struct('test/v1.Leaf', () => ({
  name: field(1, string, { required: true, always: true }),
  colour: field(2, string, { enum: ['red', 'green'] }),
  colours: field(3, listOf(string), { enum: ['red', 'green'] }),
  size: field(4, int32),
}));

const Mixin = struct('test/v1.Mixin', () => ({
  shape: field(1, string, { required: true, enum: ['round'] }),
}));

const Tree: StructSchema = struct('test/v1.Tree', () => ({
  leaf: field(1, Leaf, { pointer: true }),
  must: field(2, Leaf, { required: true }),
  leaves: field(3, listOf(Leaf), { required: true }),
  named: field(4, mapOf(Leaf)),
  inner: field(5, Tree, { pointer: true }),
  mixin: field(6, Mixin, { inline: true }),
  kindOf: field(7, string, { required: true, default: 'plain', enum: ['plain'] }),
}));

const kind = compileKind({ schema: Tree, kind: 'Tree', apiVersion: 'test/v1' });

const texts = fc.constantFrom('', 'red', 'green', 'round', 'plain', 'x', null);
const { tree } = fc.letrec((tie) => ({
  leaf: fc.record(
    {
      name: texts,
      colour: texts,
      colours: fc.array(fc.constantFrom('red', 'x')),
      size: fc.integer({ max: 9, min: 0 }),
    },
    { requiredKeys: [] },
  ),
  tree: fc.record(
    {
      leaf: tie('leaf'),
      must: tie('leaf'),
      leaves: fc.array(tie('leaf'), { maxLength: 3 }),
      named: fc.dictionary(fc.constantFrom('a', 'b'), tie('leaf')),
      inner: fc.option(tie('tree'), { maxDepth: 2 }),
      shape: texts,
      kindOf: texts,
    },
    { requiredKeys: [] },
  ),
}));

// validateSchemaRules runs only when the fast pass sets needsSchemaCheck, so the pass must not miss any violation.
it('sets needsSchemaCheck for every object that violates a rule', () => {
  let broken = 0;
  fc.assert(
    fc.property(tree, (input) => {
      const findings = new Findings();
      const object = kind.normalize(input, findings);
      const errors = validateSchemaRules(Tree, object, { path: '' });
      if (errors.length > 0) broken++;
      expect(errors.length > 0 && !findings.needsSchemaCheck).toBe(false);
    }),
    { numRuns: 2000 },
  );
  expect(broken).toBeGreaterThan(100);
});

it('does not set needsSchemaCheck for a valid object', () => {
  const good = { name: 'n', colour: 'red', colours: ['green'] };
  const findings = new Findings();
  kind.normalize({ must: good, leaves: [good], named: { a: good }, shape: 'round' }, findings);
  expect(findings.needsSchemaCheck).toBe(false);
});
