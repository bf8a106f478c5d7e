import { expect, it } from 'vitest';
import { validateProvisioner } from './class-parameters.ts';

it.each<[string, readonly string[]]>([
  ['Example.com/P', []],
  ['', ['Required value']],
  ['$(X)', ['Invalid value: "$(x)": name part must consist of']],
])('the name of a provisioner: %j', (name, messages) => {
  const errors = validateProvisioner(name, 'provisioner');
  expect(errors).toHaveLength(messages.length);
  for (const [index, message] of messages.entries()) expect(errors[index]!.message).toContain(message);
});
