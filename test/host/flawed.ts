/** A flow with several kinds of findings, some after multibyte characters. */
export const FLAWED = `entry: greet
context_variables:
  plan: {type: string, enum_values: [basic, basic]}
nodes:
  greet:
    type: mesage
    instructions: Größe 🙂 of {{acount_id}}
    edges:
      - to: nowhere
  look_up: {type: tool, edges: [{to: greet}]}
`;
