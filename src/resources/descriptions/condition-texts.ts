/** The texts that the conditions of all types have in common. The text of `type` is specific to each type. */
export const conditionTexts = {
  status: 'True, False or Unknown.',
  lastTransitionTime: 'When `status` last changed.',
  reason: 'Why the condition last changed, as one CamelCase word.',
  message: 'Details for people.',
};
