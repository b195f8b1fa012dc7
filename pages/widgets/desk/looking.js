// A desk in a workspace that is open to look at only: one goes through the items, and what would save something says
// that nothing is saved. The server would refuse it, too.

class LookingDesk extends Desk {
  constructor(root, view) {
    super(root, view)
    for (const name of ["panelSaved", "endList", "mute"]) if (view[name]) view[name] = () => this.saysNo()
  }

  saysNo() {
    this.view.panel = null
    this.notify("looking", "Nothing is saved: this workspace is open to look at only.")
    return true
  }
}

for (const name of ["decide", "decideTogether", "note", "setClosed", "undo"]) {
  LookingDesk.prototype[name] = LookingDesk.prototype.saysNo
}
