/** What the conditions of all types have in common. Each says itself which `type` it may have. */
export const conditionTexts = {
  status: 'True, False or Unknown.',
  lastTransitionTime: 'When `status` last changed.',
  reason: 'A word that says why the condition last changed.',
  message: 'Details for people.',
};
