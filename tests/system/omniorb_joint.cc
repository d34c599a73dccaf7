// An ordinary omniORB client of hrp3p's joint.idl: maintains a node through the gateway, and calls
// one that dies meanwhile. Prints "all right", or what was wrong; exit 1 then.
//
//   omniorb_joint REFERENCE DYING     e.g. corbaloc::1.2@127.0.0.1:2809/n7
#include <cstring>
#include <iostream>
#include <unistd.h>

#include "joint.hh"

static int wrong;

static void expect(const char *what, bool right)
{
    std::cout << what << (right ? "" : " -- WRONG") << std::endl;
    wrong += !right;
}

static void maintain(Hrp3p::Node_ptr node)
{
    CORBA::String_var name = node->name();
    expect("it has its name", std::strcmp(name, "n7") == 0);
    const Hrp3p::Limits widest = node->read_limits(0);
    const Hrp3p::Limits within = {0.9 * widest.min_rad, 0.5 * widest.max_rad};
    node->set_limits(0, within);
    const Hrp3p::Limits now = node->read_limits(0);
    expect("its limits are narrower", now.min_rad == within.min_rad && now.max_rad == within.max_rad);
    try {
        const Hrp3p::Limits wider = {widest.min_rad - 1, widest.max_rad};
        node->set_limits(0, wider);
        expect("wider ones are refused", false);
    } catch (const Hrp3p::BadLimits &bad) {
        expect("wider ones are refused", bad.widest.min_rad == widest.min_rad);
    }
    try {
        node->read_limits(99);
        expect("it has no joint 99", false);
    } catch (const Hrp3p::NoSuchJoint &none) {
        expect("it has no joint 99", none.joints > 0 && none.joints <= 5);
    }
    Hrp3p::State_var state = node->read_state();
    const CORBA::ULong before = state->cycle;
    state = node->read_state();
    expect("it lives", state->joint.length() > 0 && before > 0 && state->cycle >= before);
}

// It answers until it is dead, and then there is a TIMEOUT.
static void see_it_die(Hrp3p::Node_ptr node)
{
    bool timeout = false;
    for (int attempt = 0; attempt < 100 && !timeout; attempt++) {
        try {
            CORBA::String_var name = node->name();
        } catch (const CORBA::TIMEOUT &) {
            timeout = true;
        }
        usleep(20000);
    }
    expect("who dies is a TIMEOUT", timeout);
}

int main(int argc, char **argv)
{
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    for (int attempt = 0; attempt < 100; attempt++) { // the gateway may not be there yet
        try {
            CORBA::Object_var object = orb->string_to_object(argv[1]);
            Hrp3p::Node_var node = Hrp3p::Node::_narrow(object);
            maintain(node);
            object = orb->string_to_object(argv[2]);
            node = Hrp3p::Node::_unchecked_narrow(object);
            see_it_die(node);
            std::cout << (wrong == 0 ? "all right" : "something is wrong") << std::endl;
            return wrong > 0;
        } catch (const CORBA::SystemException &exception) {
            std::cout << exception._name() << ", " << exception.NP_minorString() << std::endl;
        }
        usleep(50000);
    }
    return 1;
}
