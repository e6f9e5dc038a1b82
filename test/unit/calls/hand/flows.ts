/** Four flows for handwritten calls (calls.ts), as opposed to generated ones. */

export const FLOWS = {
  vet: `persona: You answer for the Harbor Street animal hospital.
entry: hello
context_variables:
  pet: {type: string, source: derived, description: Name of the animal.}
  issue: {type: string, source: derived, enum_values: [vaccine, injury, poison, other]}
  slot: {type: string, description: The time that was found.}
nodes:
  hello:
    type: message
    instructions: Greet the caller and mention Harbor Street animal hospital.
    edges: [{to: which_pet}]
  which_pet:
    type: collect
    variable: pet
    instructions: Ask what the animal is called.
    edges:
      - {to: what_issue, when: "{{pet}} is known"}
      - {to: desk}
  what_issue:
    type: collect
    variable: issue
    instructions: Ask what is wrong with {{pet}}, or whether it is for a vaccination.
    edges:
      - {to: poison_help, when: "{{issue}} is poison"}
      - {to: emergency, when: "{{issue}} is injury"}
      - {to: find_slot, when: "{{issue}} is vaccine"}
      - {to: desk}
  poison_help:
    type: message
    instructions: Tell the caller to keep the packaging of whatever was eaten and not to induce vomiting.
    edges: [{to: emergency}]
  emergency:
    type: transfer
    instructions: Say the emergency vet takes over.
    destination: "+15550100"
    mode: warm
  find_slot:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0201
    saves: {slot: $.slot}
    edges:
      - {to: offer_slot, when: "{{slot}} is known"}
      - {to: desk}
      - {to: desk, on: error}
  offer_slot:
    type: message
    instructions: Offer {{slot}} and ask if that suits.
    edges:
      - {to: booked, when: the caller takes the appointment}
      - {to: call_back, when: the caller can't come then}
  booked:
    type: end
    instructions: Confirm the appointment and ask them to bring the vaccination record.
  call_back:
    type: end
    instructions: Promise that the practice will ring back with other times.
  desk:
    type: transfer
    instructions: Hand over to the front desk.
    destination: "+15550101"
    mode: cold
`,
  hotel: `persona: You are the night porter of the Grand Marsh hotel.
entry: welcome
context_variables:
  room: {type: string, source: derived, description: The room number.}
  wish: {type: string, source: derived, enum_values: [towels, noise, taxi, checkout]}
  pickup: {type: string, source: derived, description: When the taxi should come.}
nodes:
  welcome:
    type: message
    instructions: "Say \\"Good evening, this is the night desk of the Grand Marsh.\\""
    edges: [{to: ask_room}]
  ask_room:
    type: collect
    variable: room
    instructions: Ask which room they are staying in.
    edges: [{to: ask_wish}]
  ask_wish:
    type: collect
    variable: wish
    instructions: Find out what the guest needs.
    edges:
      - {to: towels, when: "{{wish}} is towels"}
      - {to: noise, when: "{{wish}} is noise"}
      - {to: pickup_time, when: "{{wish}} is taxi"}
      - {to: late_checkout, when: "{{wish}} is checkout"}
      - {to: porter}
  towels:
    type: message
    instructions: Say that housekeeping brings fresh towels within a quarter of an hour.
    edges: [{to: anything}]
  noise:
    type: message
    instructions: Apologize for the noise. Ask whether security should talk to the neighbors or the guest prefers to move to another room.
    edges:
      - {to: security, when: the guest wants security to go there}
      - {to: porter, when: the guest wants to move to another room}
  security:
    type: message
    instructions: Say that a guard is on the way upstairs.
    edges: [{to: anything}]
  pickup_time:
    type: collect
    variable: pickup
    instructions: Ask at what time the cab should be at the entrance.
    edges: [{to: taxi_ordered}]
  taxi_ordered:
    type: message
    instructions: Confirm the cab for {{pickup}}.
    edges: [{to: anything}]
  late_checkout:
    type: message
    instructions: Explain that leaving until two in the afternoon costs thirty euros.
    edges: [{to: anything}]
  anything:
    type: message
    instructions: Ask whether there is something more you can do.
    edges:
      - {to: ask_wish, when: the guest has another request}
      - {to: goodnight, when: the guest needs nothing more}
  goodnight:
    type: end
    instructions: Wish a good night.
  porter:
    type: transfer
    instructions: Pass the call to the porter.
    destination: "+15550102"
    mode: warm
`,
  claims: `persona: Sie nehmen Schadenmeldungen der Nordstern Versicherung auf.
entry: start
context_variables:
  police: {type: string, source: derived, description: Die Nummer der Versicherungspolice.}
  art: {type: string, source: derived, enum_values: [unfall, diebstahl, wasser]}
  verletzte: {type: boolean, source: derived}
nodes:
  start:
    type: message
    instructions: Begrüßen Sie die anrufende Person bei der Schadenannahme.
    edges: [{to: nummer}]
  nummer:
    type: collect
    variable: police
    instructions: Fragen Sie nach der Versicherungsnummer.
    edges:
      - {to: schaden, when: "{{police}} is known"}
      - {to: sachbearbeiter}
  schaden:
    type: collect
    variable: art
    instructions: Fragen Sie, was passiert ist.
    edges:
      - {to: verletzt, when: "{{art}} is unfall"}
      - {to: polizei, when: "{{art}} is diebstahl"}
      - {to: wasserhahn, when: "{{art}} is wasser"}
      - {to: sachbearbeiter}
  verletzt:
    type: collect
    variable: verletzte
    instructions: Fragen Sie, ob jemand verletzt wurde.
    edges:
      - {to: sachbearbeiter, when: "{{verletzte}} is true"}
      - {to: formular}
  polizei:
    type: message
    instructions: Weisen Sie darauf hin, dass der Diebstahl bei der Polizei angezeigt werden muss.
    edges: [{to: formular}]
  wasserhahn:
    type: message
    instructions: Raten Sie, den Haupthahn zuzudrehen und Fotos von den nassen Stellen zu machen.
    edges:
      - {to: notdienst, when: das Wasser läuft noch}
      - {to: formular, when: das Wasser ist abgestellt}
  notdienst:
    type: transfer
    instructions: Sagen Sie, dass der Notdienst der Klempner übernimmt.
    destination: "+4930555010"
    mode: warm
  formular:
    type: end
    instructions: Kündigen Sie an, dass das Formular per Post kommt, und verabschieden Sie sich.
  sachbearbeiter:
    type: transfer
    instructions: Verbinden Sie mit der Sachbearbeitung.
    destination: "+4930555011"
    mode: cold
`,
  donations: `persona: You collect monthly pledges for the Riverkeeper fund.
entry: intro
context_variables:
  amount: {type: number, source: derived, description: Monthly pledge in dollars.}
  email: {type: string, source: derived}
nodes:
  intro:
    type: message
    instructions: Introduce yourself as calling for the Riverkeeper fund, and ask for a minute of their time.
    edges:
      - {to: story, when: the person agrees to listen}
      - {to: bad_time, when: the person is busy now}
      - {to: never_again, when: the person asks not to be called any more}
  story:
    type: message
    instructions: Tell in two sentences how last year the volunteers pulled forty tons of plastic out of the delta.
    edges: [{to: ask_amount}]
  ask_amount:
    type: collect
    variable: amount
    instructions: Ask how much they would like to pledge every month.
    edges:
      - {to: big_giver, when: "{{amount}} >= 100"}
      - {to: ask_email, when: "{{amount}} is known"}
      - {to: soft_no}
  big_giver:
    type: message
    instructions: Thank them warmly and invite them to the boat tour in June.
    edges: [{to: ask_email}]
  ask_email:
    type: collect
    variable: email
    instructions: Ask where the receipt should be sent.
    edges: [{to: thanks}]
  thanks:
    type: end
    instructions: Say thank you on behalf of the river.
  soft_no:
    type: end
    instructions: Say that this is no problem and mention the newsletter.
  bad_time:
    type: end
    instructions: Say that you will try again another day.
  never_again:
    type: end
    instructions: Apologize and confirm that the number is taken off the list.
`,
} as const;
