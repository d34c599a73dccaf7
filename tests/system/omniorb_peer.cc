// The opposite of giop_peer.c, by omniORB: an ordinary server and client of example.idl.
//
//   omniorb_peer serve       prints its reference; ends when 4711 was noted and is read
//   omniorb_peer call REFERENCE
#include <cstring>
#include <iostream>

#include "example.hh"

static CORBA::ORB_var orb;

struct Echo : POA_Example::Echo {
    CORBA::Long number = 0;
    CORBA::String_var text = CORBA::string_dup("");

    Example::Everything *all(const Example::Everything &sent) override
    {
        return new Example::Everything(sent);
    }
    Example::Bytes *pass(const Example::Bytes &sent) override { return new Example::Bytes(sent); }
    CORBA::Long divide(CORBA::Long number, CORBA::Long by, CORBA::Long &rest) override
    {
        if (by == 0)
            throw Example::Refused("by zero", number);
        if (by == -1)
            throw Example::Other();
        rest = number % by;
        return number / by;
    }
    void note(CORBA::Long noted) override { number = noted; }
    CORBA::Long noted() override
    {
        if (number == 4711)
            orb->shutdown(false);
        return number;
    }
    char *label() override { return CORBA::string_dup(text); }
    void label(const char *value) override { text = CORBA::string_dup(value); }
};

static int serve()
{
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    Echo echo;
    PortableServer::ObjectId_var id = poa->activate_object(&echo);
    Example::Echo_var self = echo._this();
    CORBA::String_var reference = orb->object_to_string(self);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    std::cout << reference << std::endl;
    orb->run();
    return 0;
}

static int wrong;

static void expect(const char *what, bool right)
{
    std::cout << what << (right ? "" : " -- WRONG") << std::endl;
    wrong += !right;
}

static void call_values(Example::Echo_ptr echo)
{
    Example::Everything all;
    all.yes = true, all.small = 200, all.letter = 'u', all.s = -12345, all.us = 54321;
    all.l = -1234567890, all.ul = 4000000000u, all.ll = -1234567890123456789ll;
    all.ull = 12345678901234567890ull, all.f = 0.15625f, all.d = -2.5e-300;
    all.text = "ukemi", all.hue = Example::BLUE;
    all.three[0] = 1, all.three[1] = -2, all.three[2] = 3;
    all.several.length(2), all.several[0] = 1.5, all.several[1] = -3;
    all.said.length(2), all.said[0] = "ab", all.said[1] = "";
    Example::Everything_var back = echo->all(all);
    expect("all types", back->yes && back->small == 200 && back->letter == 'u' && back->s == all.s &&
                            back->us == all.us && back->l == all.l && back->ul == all.ul &&
                            back->ll == all.ll && back->ull == all.ull && back->f == all.f &&
                            back->d == all.d && std::strcmp(back->text, "ukemi") == 0 &&
                            back->hue == Example::BLUE && back->three[1] == -2 &&
                            back->several.length() == 2 && back->several[1] == -3 &&
                            back->said.length() == 2 && std::strcmp(back->said[0], "ab") == 0);
    Example::Bytes bytes;
    bytes.length(100000);
    for (CORBA::ULong i = 0; i < bytes.length(); i++)
        bytes[i] = (CORBA::Octet)(i * i >> 3);
    Example::Bytes_var again = echo->pass(bytes);
    expect("many bytes", again->length() == bytes.length() &&
                             std::memcmp(again->get_buffer(), bytes.get_buffer(), 100000) == 0);
}

static void call_exceptions(Example::Echo_ptr echo)
{
    CORBA::Long rest = 0;
    expect("17 by 5", echo->divide(17, 5, rest) == 3 && rest == 2);
    try {
        echo->divide(17, 0, rest);
        expect("17 by 0", false);
    } catch (const Example::Refused &refused) {
        expect("17 by 0", std::strcmp(refused.why, "by zero") == 0 && refused.code == 17);
    }
    try {
        echo->divide(17, -1, rest);
        expect("17 by -1", false);
    } catch (const Example::Other &) {
        expect("17 by -1", true);
    }
    CORBA::Request_var request = echo->_request("sing");
    request->invoke();
    expect("an unknown operation",
           CORBA::BAD_OPERATION::_downcast(request->env()->exception()) != nullptr);
}

static int call(const char *reference)
{
    CORBA::Object_var object = orb->string_to_object(reference);
    expect("it exists", !object->_non_existent());
    Example::Echo_var echo = Example::Echo::_narrow(object);
    call_values(echo);
    call_exceptions(echo);
    echo->label("a label");
    CORBA::String_var label = echo->label();
    expect("the label", std::strcmp(label, "a label") == 0);
    echo->note(4711);
    expect("what was noted", echo->noted() == 4711);
    return wrong > 0;
}

int main(int argc, char **argv)
{
    orb = CORBA::ORB_init(argc, argv);
    return argc == 2 ? serve() : call(argv[2]);
}
