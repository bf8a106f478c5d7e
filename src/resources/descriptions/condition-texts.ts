/** What the conditions of all types have in common. Each says itself which `type` it may have. */
export const conditionTexts = {
  status: 'True, False or Unknown.',
  lastTransitionTime: 'When `status` last changed.',
  reason: 'Why the condition last changed, as one CamelCase word.',
  message: 'Details for people.',
};
