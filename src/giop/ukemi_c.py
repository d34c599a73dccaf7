"""An omniidl back end: C stubs and skeletons for src/giop/orb.h, which allocate nothing.

    omniidl -p src/giop -b ukemi_c [-C FOLDER] NAME.idl     writes NAME_idl.h and NAME_idl.c

Names become lower case, their scopes before them: Hrp3p::Node::read_state is hrp3p_node_read_state.
Everything has a bound: an unbounded string or sequence is refused, and so is what C would need the
heap for (any, union, object references). A sequence needs a typedef, an array is a member.
"""
import os
import re
import sys

from omniidl import idlast, idltype

BASE = {  # kind: C type, bytes, what reads it
    idltype.tk_boolean: ("bool", 1), idltype.tk_octet: ("uint8_t", 1), idltype.tk_char: ("char", 1),
    idltype.tk_short: ("int16_t", 2), idltype.tk_ushort: ("uint16_t", 2),
    idltype.tk_long: ("int32_t", 4), idltype.tk_ulong: ("uint32_t", 4),
    idltype.tk_longlong: ("int64_t", 8), idltype.tk_ulonglong: ("uint64_t", 8),
    idltype.tk_float: ("float", 4), idltype.tk_double: ("double", 8),
}


def fail(node, text):
    sys.exit(f"{node.file()}:{node.line()}: {text}")


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


KEYWORDS = set("auto break bool case char const continue default do double else enum extern float for goto if "
               "inline int long register restrict return short signed sizeof static struct switch typedef "
               "union unsigned void volatile while true false NULL".split())
# What the functions below call their own.
LOCALS = set("arguments call cdr object outcome raised result results self sent servant to until_ns".split())


def free_name(name, taken):
    return name + "_" if name in taken else name


def c_name(scoped):
    return "_".join(snake(part) for part in scoped)


class Type:
    """What C needs to know of a type; `node` is where it is used, for messages."""

    def __init__(self, idl, node):
        self.text = 0  # bytes of a string
        self.enum = self.compound = False
        self.name = None
        kind = idl.kind()
        if kind in BASE:
            self.c, self.least = BASE[kind]
            self.kind = kind
        elif kind == idltype.tk_string and idl.bound() > 0:
            self.c, self.text, self.least = "char", idl.bound() + 1, 5
        elif kind == idltype.tk_alias:
            decl = idl.decl()
            alias = decl.alias().aliasType()
            if decl.sizes():
                fail(node, f"'{decl.identifier()}' is an array by typedef; make it a member of a struct")
            if alias.kind() == idltype.tk_sequence:
                self.name = c_name(decl.scopedName())
                self.c, self.compound, self.least = "struct " + self.name, True, 4
            else:
                self.__dict__.update(Type(alias, node).__dict__)
        elif kind in (idltype.tk_struct, idltype.tk_except):
            self.name = c_name(idl.decl().scopedName())
            self.c, self.compound = "struct " + self.name, True
            self.least = sum(t.least * n for _, t, n in members(idl.decl())) or 1
        elif kind == idltype.tk_enum:
            self.name = c_name(idl.decl().scopedName())
            self.c, self.enum, self.least = "enum " + self.name, True, 4
            self.values = len(idl.decl().enumerators())
        elif kind in (idltype.tk_string, idltype.tk_sequence):
            fail(node, "has no bound, or no name; give it both: typedef sequence<TYPE, 16> NAME, or string<16>")
        else:
            fail(node, "this type is not for programs that allocate nothing; use numbers, strings, "
                       "enums, structs and sequences")

    def put(self, what, pointer=False):
        """A statement that writes the lvalue `what` (of compounds: its address if `pointer`)."""
        if self.compound:
            return f"{self.name}_put(cdr, {what if pointer else '&' + what});"
        if self.text:
            return f"cdr_put_string(cdr, {what});"
        if self.c in ("float", "double"):
            return f"cdr_put_{self.c}(cdr, {what});"
        unsigned = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}[self.least]
        return f"cdr_put(cdr, ({unsigned}){what}, {self.least});"

    def get(self, what, pointer=False):
        if self.compound:
            return f"{self.name}_get(cdr, {what if pointer else '&' + what});"
        if self.text:
            return f"cdr_get_string(cdr, {what}, {self.text});"
        star = "*" if pointer else ""
        if self.enum:
            return f"{star}{what} = ({self.c})get_enumerator(cdr, {self.values});"
        if self.c in ("float", "double"):
            return f"{star}{what} = cdr_get_{self.c}(cdr);"
        if self.c == "bool":
            return f"{star}{what} = cdr_get_boolean(cdr);"
        return f"{star}{what} = ({self.c})cdr_get(cdr, {self.least});"

    def member(self, name, count=1, array=False):
        size = f"[{self.text}]" if self.text else ""
        return f"{self.c} {name}{f'[{count}]' if array else ''}{size};"

    def argument(self, name):
        if self.text:
            return f"const char *{name}"
        return f"const {self.c} *{name}" if self.compound else f"{self.c} {name}"

    def result(self, name):
        return f"{self.c} {name}[{self.text}]" if self.text else f"{self.c} *{name}"

    def address(self, name):
        return name if self.text else "&" + name


def members(decl):
    """(name, type, count) of a struct's or an exception's members; count is 1 but for arrays."""
    found = []
    for member in decl.members():
        for declarator in member.declarators():
            if len(declarator.sizes()) > 1:
                fail(declarator, f"'{declarator.identifier()}' has several dimensions; give it one")
            count = declarator.sizes()[0] if declarator.sizes() else 0
            found.append((free_name(declarator.identifier(), KEYWORDS), Type(member.memberType(), declarator), count or 1))
    return found


def arrays(decl):
    return {free_name(d.identifier(), KEYWORDS) for m in decl.members() for d in m.declarators() if d.sizes()}


class Operation:
    """An operation, or one half of an attribute."""

    def __init__(self, interface, wire, name, result, arguments, results, raises, oneway):
        self.wire = wire  # its name in messages
        self.c = f"{interface}_{snake(name)}"
        self.field = free_name(snake(name), KEYWORDS | {"self"})
        self.ins, self.outs = arguments, list(results)
        if result is not None:
            self.outs.insert(0, ("result", result))
        self.raises, self.oneway = raises, oneway

    def in_list(self):
        return "".join(", " + t.argument(n) for n, t in self.ins)

    def out_list(self, interface):
        raised = f", struct {interface}_raised *raised" if self.raises else ""
        return "".join(", " + t.result(n) for n, t in self.outs) + raised

    def in_names(self):
        return "".join(", " + n for n, _ in self.ins)

    def out_names(self):
        return "".join(", " + n for n, _ in self.outs) + (", raised" if self.raises else "")


def operations(node, interface):
    found = []
    for item in node.contents():
        if isinstance(item, idlast.Attribute):
            kind = Type(item.attrType(), item)
            for name in item.identifiers():
                found.append(Operation(interface, "_get_" + name, "get_" + name, kind, [], [], [], False))
                if not item.readonly():
                    found.append(Operation(interface, "_set_" + name, "set_" + name, None,
                                           [("value", kind)], [], [], False))
        elif isinstance(item, idlast.Operation):
            sides = ([], [])
            for parameter in item.parameters():
                if parameter.direction() == 2:
                    fail(parameter, "inout; use an in and an out parameter")
                sides[parameter.direction()].append(
                    (free_name(snake(parameter.identifier()), KEYWORDS | LOCALS), Type(parameter.paramType(), parameter)))
            void = item.returnType().kind() == idltype.tk_void
            found.append(Operation(interface, item.identifier(), item.identifier(),
                                   None if void else Type(item.returnType(), item), sides[0], sides[1],
                                   item.raises(), item.oneway()))
    return found


class Writer:
    def __init__(self, name):
        self.name = name
        self.header, self.code = [], []

    def h(self, text):
        self.header.append(text)

    def c(self, text):
        self.code.append(text)

    # ---- types ----

    def const(self, node):
        value = node.value()
        if isinstance(value, (int, float)):
            self.h(f"#define {c_name(node.scopedName()).upper()} {value}")

    def enum(self, node):
        name = c_name(node.scopedName())
        values = ", ".join(f"{name}_{snake(e.identifier())}".upper() for e in node.enumerators())
        self.h(f"enum {name} {{ {values} }};")

    def compound(self, name, lines, put, get):
        self.h(f"struct {name} {{\n" + "\n".join("    " + line for line in lines) + "\n};")
        self.h(f"void {name}_put(struct cdr *cdr, const struct {name} *value);")
        self.h(f"void {name}_get(struct cdr *cdr, struct {name} *value);\n")
        for what, const, statements in (("put", "const ", put), ("get", "", get)):
            body = "\n".join("    " + line for line in statements)
            self.c(f"void {name}_{what}(struct cdr *cdr, {const}struct {name} *value)\n{{\n{body}\n}}\n")

    def struct(self, node):
        name, lists = c_name(node.scopedName()), arrays(node)
        lines, put, get = [], [], []
        for member, kind, count in members(node):
            lines.append(kind.member(member, count, member in lists))
            loop = f"for (unsigned i = 0; i < {count}; i++) " if member in lists else ""
            place = f"value->{member}[i]" if member in lists else f"value->{member}"
            put.append(loop + kind.put(place))
            get.append(loop + kind.get(place))
        empty = ["char nothing; // C has no empty structs"]
        unused = ["(void)cdr, (void)value;"]
        self.compound(name, lines or empty, put or unused, get or unused)

    def sequence(self, node, declarator):
        idl = node.aliasType()
        if idl.kind() != idltype.tk_sequence:
            return
        if idl.bound() == 0:
            fail(declarator, f"'{declarator.identifier()}' has no bound; write sequence<TYPE, 16>")
        name, kind = c_name(declarator.scopedName()), Type(idl.seqType(), declarator)
        bound = idl.bound()
        octets = kind.c == "uint8_t"
        each = "for (uint32_t i = 0; i < value->count; i++) "
        self.compound(
            name, ["uint32_t count;", kind.member("item", bound, True)],
            [f"cdr->bad |= value->count > {bound};", "if (cdr->bad)", "    return;",
             "cdr_put(cdr, value->count, 4);",
             "cdr_put_bytes(cdr, value->item, value->count);" if octets else each + kind.put("value->item[i]")],
            [f"value->count = cdr_get_count(cdr, {bound}, {kind.least});",
             "cdr_get_bytes(cdr, value->item, value->count);" if octets else each + kind.get("value->item[i]")])

    # ---- interfaces ----

    def interface(self, node):
        if node.inherits():
            fail(node, f"'{node.identifier()}' inherits; write its operations out")
        name = c_name(node.scopedName())
        for item in node.contents():
            if isinstance(item, (idlast.Struct, idlast.Enum, idlast.Typedef, idlast.Const, idlast.Exception)):
                self.visit(item)
        found = operations(node, name)
        exceptions = {}
        for operation in found:
            for e in operation.raises:
                exceptions[e.repoId()] = e
        self.h(f'#define {name.upper()}_TYPE "{node.repoId()}"\n')
        self.exceptions(name, exceptions)
        for operation in found:
            self.stub(name, operation)
        self.servant(name, found)

    def exceptions(self, name, exceptions):
        if not exceptions:
            return
        tags = "".join(f", {name}_raised_{snake(e.identifier())}".upper() for e in exceptions.values())
        union = "".join(f"        struct {c_name(e.scopedName())} {snake(e.identifier())};\n"
                        for e in exceptions.values())
        self.h(f"enum {name}_exception {{ {name.upper()}_RAISED_NOTHING{tags} }};\n"
               f"struct {name}_raised {{\n    enum {name}_exception which;\n    union {{\n{union}    }};\n}};\n")
        reads = writes = ""
        for repository, e in exceptions.items():
            tag, short = f"{name}_raised_{snake(e.identifier())}".upper(), snake(e.identifier())
            reads += (f'    if (strcmp(id, "{repository}") == 0) {{\n        raised->which = {tag};\n'
                      f"        {c_name(e.scopedName())}_get(cdr, &raised->{short});\n        return !cdr->bad;\n    }}\n")
            writes += (f'    case {tag}:\n        cdr_put_string(cdr, "{repository}");\n'
                       f"        {c_name(e.scopedName())}_put(cdr, &raised->{short});\n        break;\n")
        self.c(f"static bool {name}_raised_get(struct cdr *cdr, const char *id, struct {name}_raised *raised)\n"
               f"{{\n{reads}    return false;\n}}\n")
        self.c(f"static void {name}_raised_put(struct cdr *cdr, const struct {name}_raised *raised)\n"
               f"{{\n    switch (raised->which) {{\n{writes}    default:\n        break;\n    }}\n}}\n")

    def stub(self, name, o):
        send = o.c + ("" if o.oneway else "_send")
        self.h(f"enum giop_outcome {send}(struct giop_object *object{o.in_list()});")
        puts = "".join("    " + t.put(n, True) + "\n" for n, t in o.ins)
        unused = "" if o.ins else "    (void)cdr;\n"
        self.c(f"enum giop_outcome {send}(struct giop_object *object{o.in_list()})\n{{\n"
               f'    struct cdr *cdr = giop_call_begin(object, "{o.wire}", {str(not o.oneway).lower()});\n'
               f"{puts}{unused}    return giop_call_send(object);\n}}\n")
        if o.oneway:
            return
        outs = o.out_list(name)
        self.h(f"enum giop_outcome {o.c}_await(struct giop_object *object, int64_t until_ns{outs});")
        self.h(f"enum giop_outcome {o.c}(struct giop_object *object{o.in_list()}{outs});")
        raised = (f"    raised->which = {name.upper()}_RAISED_NOTHING;\n"
                  f"    if (outcome == GIOP_RAISED && !{name}_raised_get(cdr, object->exception, raised))\n"
                  "        return GIOP_MALFORMED;\n") if o.raises else ""
        gets = "".join("    " + t.get(n, True) + "\n" for n, t in o.outs)
        self.c(f"enum giop_outcome {o.c}_await(struct giop_object *object, int64_t until_ns{outs})\n{{\n"
               "    struct cdr results, *cdr = &results;\n"
               "    const enum giop_outcome outcome = giop_call_await(object, until_ns, &results);\n"
               f"{raised}    if (outcome != GIOP_DONE)\n        return outcome;\n{gets}"
               "    return cdr->bad ? GIOP_MALFORMED : GIOP_DONE;\n}\n")
        self.c(f"enum giop_outcome {o.c}(struct giop_object *object{o.in_list()}{outs})\n{{\n"
               f"    const int64_t until_ns = giop_call_deadline_ns(object);\n"
               f"    const enum giop_outcome sent = {o.c}_send(object{o.in_names()});\n"
               f"    return sent != GIOP_DONE ? sent : {o.c}_await(object, until_ns{o.out_names()});\n}}\n")

    def servant(self, name, found):
        fields = "".join(f"    void (*{o.field})(void *self, const struct giop_call *call{o.in_list()}"
                         f"{o.out_list(name)});\n" for o in found)
        self.h(f"\n// What an object does; an operation that is NULL is not implemented.\nstruct {name}_servant {{\n"
               f"    void *self;\n{fields}}};\n// A giop_skeleton; `servant` is a struct {name}_servant.\n"
               f"enum giop_reply_status {name}_skeleton(void *servant, const struct giop_call *call,\n"
               "                                       struct cdr *arguments, struct cdr *results);\n")
        for o in found:
            self.skeleton(name, o)
        rows = ",\n".join(f'        {{"{o.wire}", {o.c}_do}}' for o in found)
        self.c(f"enum giop_reply_status {name}_skeleton(void *servant, const struct giop_call *call,\n"
               "                                       struct cdr *arguments, struct cdr *results)\n{\n"
               f"    static const struct {{\n        const char *name;\n        giop_skeleton perform;\n    }} table[] = {{\n"
               f"{rows}}};\n"
               "    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)\n"
               "        if (strcmp(table[i].name, call->request.operation) == 0)\n"
               "            return table[i].perform(servant, call, arguments, results);\n"
               "    return giop_raise(results, GIOP_BAD_OPERATION);\n}\n")

    def skeleton(self, name, o):
        both = o.ins + o.outs
        local = "".join(f"    {t.member(n)}\n" for n, t in o.ins)
        local += "".join(f"    {t.c} {n}{f'[{t.text}]' if t.text else ''} = {{0}};\n" for n, t in o.outs)
        local += f"    struct {name}_raised raised = {{.which = {name.upper()}_RAISED_NOTHING}};\n" if o.raises else ""
        gets = "".join("    " + t.get(n).replace("(cdr", "(arguments") + "\n" for n, t in o.ins)
        passed = "".join(", " + ("&" + n if t.compound else n) for n, t in o.ins)
        passed += "".join(", " + t.address(n) for n, t in o.outs) + (", &raised" if o.raises else "")
        raised = (f"    if (raised.which != {name.upper()}_RAISED_NOTHING) {{\n"
                  f"        {name}_raised_put(results, &raised);\n        return GIOP_USER_EXCEPTION;\n    }}\n") \
            if o.raises else ""
        puts = "".join("    " + t.put(n).replace("(cdr", "(results") + "\n" for n, t in o.outs)
        unused = "" if both else "    (void)results;\n"
        self.c(f"static enum giop_reply_status {o.c}_do(void *servant, const struct giop_call *call,\n"
               "    struct cdr *arguments, struct cdr *results)\n{\n"
               f"    const struct {name}_servant *to = servant;\n{local}{gets}{unused}"
               "    if (arguments->bad)\n        return giop_raise(results, GIOP_MARSHAL);\n"
               f"    if (to->{o.field} == NULL)\n        return giop_raise(results, GIOP_NO_IMPLEMENT);\n"
               f"    to->{o.field}(to->self, call{passed});\n{raised}{puts}    return GIOP_NO_EXCEPTION;\n}}\n")

    # ---- the file ----

    def visit(self, node):
        if not node.mainFile():
            return
        if isinstance(node, idlast.Module):
            for item in node.definitions():
                self.visit(item)
        elif isinstance(node, idlast.Const):
            self.const(node)
        elif isinstance(node, idlast.Enum):
            self.enum(node)
        elif isinstance(node, (idlast.Struct, idlast.Exception)):
            self.struct(node)
        elif isinstance(node, idlast.Typedef):
            for declarator in node.declarators():
                self.sequence(node, declarator)
        elif isinstance(node, idlast.Interface):
            self.interface(node)
        else:
            fail(node, "this declaration is not for C stubs; see src/giop/ukemi_c.py")

    def write(self):
        note = f"// Made of {self.name}.idl by src/giop/ukemi_c.py; do not edit."
        with open(self.name + "_idl.h", "w", encoding="ascii") as out:
            out.write(f'{note}\n#pragma once\n\n#include "giop/orb.h"\n\n' + "\n".join(self.header))
        helper = ("static inline uint32_t get_enumerator(struct cdr *cdr, uint32_t values)\n{\n"
                  "    const uint32_t value = (uint32_t)cdr_get(cdr, 4);\n"
                  "    cdr->bad |= value >= values;\n    return cdr->bad ? 0 : value;\n}\n")
        with open(self.name + "_idl.c", "w", encoding="ascii") as out:
            out.write(f'{note}\n#include "{self.name}_idl.h"\n\n#include <string.h>\n\n{helper}\n'
                      + "\n".join(self.code))


def run(tree, _):
    name = os.path.splitext(os.path.basename(tree.file()))[0]
    writer = Writer(name)
    for node in tree.declarations():
        writer.visit(node)
    writer.write()
